"""Which part answers which address."""

from django.contrib import admin
from django.urls import include, path

from accounts.signing_in import few_attempts

urlpatterns = [
    path("api/v1/", include("games.api.urls")),
    path("admin/login/", few_attempts(admin.site.login)),
    path("admin/", admin.site.urls),
    path("", include("accounts.urls")),
    path("", include("games.web.urls")),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"

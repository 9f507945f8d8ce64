# Varnish in front of Vitrine, as docs/proxies.md recommends it; it is started
# with -p http_gzip_support=off, so that br and zstd come through.
vcl 4.1;

backend vitrine {
	.host = "{host}";
	.port = "{port}";
}

sub vcl_recv {
	# One spelling for what nearly all clients send: the first of these that they
	# take without a weight. Lists with weights, `*` or identity go through as they are.
	if (req.http.Accept-Encoding !~ "(?i)[;*]|identity") {
		if (req.http.Accept-Encoding ~ "(?i)(^|,)[ \t]*br[ \t]*(,|$)") {
			set req.http.Accept-Encoding = "br";
		} elsif (req.http.Accept-Encoding ~ "(?i)(^|,)[ \t]*zstd[ \t]*(,|$)") {
			set req.http.Accept-Encoding = "zstd";
		} elsif (req.http.Accept-Encoding ~ "(?i)(^|,)[ \t]*(x-)?gzip[ \t]*(,|$)") {
			set req.http.Accept-Encoding = "gzip";
		} else {
			unset req.http.Accept-Encoding;
		}
	}
	if (req.url !~ "^/theme\.css") { # the one answer that goes by a cookie, and that is not kept
		unset req.http.Cookie;
	}
}

sub vcl_backend_response {
	unset beresp.http.RateLimit; # of whoever came first
	unset beresp.http.RateLimit-Policy;
	if (bereq.is_bgfetch && beresp.status >= 500) {
		return (abandon); # what is kept stays
	}
}

package dev.sluice.samples.web.protocol;

import static dev.sluice.samples.web.protocol.HttpGrammar.SP;

/** {@code method SP request-target SP HTTP-version}, with exactly these spaces (RFC 9112 section 3). */
final class RequestLine {

    private static final String SCHEME = "http://";
    private static final int VERSION_LENGTH = "HTTP/1.1".length();

    private RequestLine() {
    }

    /** Reads the line that is all the request has so far; tells what is wrong with it, or null. */
    static Status parse(Request request) {
        byte[] octets = request.octets();
        int end = request.length();
        int methodEnd = HttpGrammar.indexOf(octets, SP, 0, end);
        int target = methodEnd + 1;
        int targetEnd = HttpGrammar.indexOf(octets, SP, target, end);
        int version = targetEnd + 1;
        if (methodEnd < 0 || targetEnd <= target || !HttpGrammar.isToken(octets, 0, methodEnd)
                || !isVersion(octets, version, end)) {
            return Status.BAD_REQUEST;
        }
        int minor = octets[end - 1] == '0' ? 0 : 1;
        Method method = Method.of(octets, 0, methodEnd);
        request.line(end, method, minor, target, targetEnd);
        if (octets[end - 3] != '1') {
            return Status.VERSION_NOT_SUPPORTED;
        }
        for (int at = target; at < targetEnd; at++) {
            // Browsers leave some characters unencoded that RFC 3986 forbids; none of them is dangerous here.
            if (octets[at] <= SP || octets[at] == '#') {
                return Status.BAD_REQUEST;
            }
        }
        // Of the other methods, CONNECT and OPTIONS have targets of their own forms, which are not wrong.
        return setPath(request, octets, target, targetEnd) || !method.isServed() ? null : Status.BAD_REQUEST;
    }

    private static boolean isVersion(byte[] octets, int from, int to) {
        return to - from == VERSION_LENGTH && octets[from] == 'H' && octets[from + 1] == 'T' && octets[from + 2] == 'T'
                && octets[from + 3] == 'P' && octets[from + 4] == '/' && HttpGrammar.isDigit(octets[from + 5])
                && octets[from + 6] == '.' && HttpGrammar.isDigit(octets[from + 7]);
    }

    /** RFC 9112 sections 3.2.1 and 3.2.2: a server has to understand the absolute form as well. */
    private static boolean setPath(Request request, byte[] octets, int target, int targetEnd) {
        int path = target;
        int host = target + SCHEME.length();
        boolean absolute = host < targetEnd && HttpGrammar.equalsIgnoreCase(octets, target, host, SCHEME);
        if (absolute) {
            path = host;
            while (path < targetEnd && octets[path] != '/' && octets[path] != '?') {
                path++;
            }
            // RFC 9110 section 4.2.1: an empty host is invalid; section 4.2.4: so is a user in front of it.
            if (octets[host] == ':' || path == host || !HttpGrammar.isHost(octets, host, path)) {
                return false;
            }
        }
        if (!absolute && octets[path] != '/') {
            return false;
        }
        int query = HttpGrammar.indexOf(octets, (byte) '?', path, targetEnd);
        request.path(path, query < 0 ? targetEnd : query);
        return true;
    }
}

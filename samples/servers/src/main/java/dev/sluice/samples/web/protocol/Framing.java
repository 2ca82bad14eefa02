package dev.sluice.samples.web.protocol;

/** Determines the end of a request's content (RFC 9112 section 6). */
final class Framing {

    private Framing() {
    }

    /** Prepares to read the content; tells why that is impossible, or null. */
    static Status apply(Request request, RequestContent content) {
        int codings = request.count("transfer-encoding");
        int lengths = request.count("content-length");
        if (codings > 0) {
            // RFC 9112 section 6.1: both fields, or a coding in HTTP/1.0, are signs of smuggling.
            return lengths > 0 || request.minorVersion() == 0
                    ? Status.BAD_REQUEST : coded(request.field("transfer-encoding"), content);
        }
        if (lengths == 0) {
            content.expect(0);
            return null;
        }
        // Section 6.3 would tolerate a repeated equal length; a client that sends it is broken or up to something.
        return lengths == 1 ? counted(request.field("content-length"), content) : Status.BAD_REQUEST;
    }

    private static Status counted(String value, RequestContent content) {
        long length = 0;
        for (int i = 0; i < value.length(); i++) {
            char digit = value.charAt(i);
            if (digit < '0' || digit > '9') {
                return Status.BAD_REQUEST;
            }
            length = Math.min(10 * length + (digit - '0'), RequestContent.MAX_LENGTH);
        }
        if (value.isEmpty()) {
            return Status.BAD_REQUEST;
        }
        return content.expect(length) ? null : Status.CONTENT_TOO_LARGE;
    }

    /** Section 6.3: chunked has to be last, and section 6.1: only once. What precedes it is not known here. */
    private static Status coded(String value, RequestContent content) {
        String[] codings = value.split(",", -1);
        int last = codings.length - 1;
        for (int i = 0; i <= last; i++) {
            String coding = codings[i].trim();
            if (coding.isEmpty() || coding.equalsIgnoreCase("chunked") != (i == last)) {
                return Status.BAD_REQUEST;
            }
        }
        if (last > 0) {
            return Status.NOT_IMPLEMENTED;
        }
        content.expectChunks();
        return null;
    }
}

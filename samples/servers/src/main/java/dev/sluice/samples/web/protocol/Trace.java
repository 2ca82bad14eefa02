package dev.sluice.samples.web.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Locale;
import java.util.Set;

/** Answers TRACE with the request as it was received (RFC 9110 section 9.3.8). */
final class Trace {

    /** What a script must not get to know that can ask for a page and see the reply. */
    private static final Set<String> SECRET = Set.of("authorization", "proxy-authorization", "cookie", "cookie2");

    private Trace() {
    }

    static void answer(Request request, Reply reply) {
        if (request.count("content-length") + request.count("transfer-encoding") > 0) {
            // A client must not send content, and this reply could not show it.
            reply.answer(Status.BAD_REQUEST);
            return;
        }
        StringBuilder message = new StringBuilder(request.line()).append("\r\n");
        for (int i = 0; i < request.fieldCount(); i++) {
            String name = request.fieldName(i);
            if (!SECRET.contains(name.toLowerCase(Locale.ROOT))) {
                message.append(name).append(": ").append(request.fieldValue(i)).append("\r\n");
            }
        }
        reply.answer("message/http", message.append("\r\n").toString().getBytes(ISO_8859_1));
    }
}

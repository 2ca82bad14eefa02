package dev.sluice.samples.web.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/** One request and its reply as a client would see it, read with other means than it was written with. */
record Exchange(int status, Map<String, String> fields, String body, boolean persistent) {

    /** Answers the one request in these octets, which may be a refused one. */
    static Exchange of(Pipeline pipeline, Reply reply, String octets) throws IOException {
        RequestParser parser = new RequestParser(Limits.DEFAULT);
        RequestParser.Progress progress = parser.parse(ByteBuffer.wrap(octets.getBytes(ISO_8859_1)));
        assertNotEquals(RequestParser.Progress.MORE, progress, "not a whole request");
        if (progress == RequestParser.Progress.REFUSED) {
            pipeline.refuse(parser.refusal(), parser.request(), reply);
        } else {
            pipeline.respond(parser.request(), reply);
        }
        try {
            return read(reply);
        } finally {
            reply.close();
        }
    }

    private static Exchange read(Reply reply) throws IOException {
        StringBuilder octets = new StringBuilder();
        long filePart;
        do {
            octets.append(ISO_8859_1.decode(reply.head())).append(ISO_8859_1.decode(reply.content()));
            filePart = reply.file() == null ? 0 : reply.length();
            ByteBuffer part = ByteBuffer.allocate((int) filePart);
            if (filePart > 0) {
                reply.file().file().read(part, reply.offset());
            }
            octets.append(ISO_8859_1.decode(part.flip()));
        } while (reply.next());
        int end = octets.indexOf("\r\n\r\n") + 4;
        String head = octets.substring(0, end);
        String body = octets.substring(end);
        assertEquals(body.length(), reply.bodySent(filePart));
        String[] lines = head.split("\r\n");
        assertTrue(lines[0].startsWith("HTTP/1.1 " + reply.status().code() + " "), head);
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 1; i < lines.length; i++) {
            String[] field = lines[i].split(": ", 2);
            assertNull(fields.put(field[0], field[1]), head);
        }
        assertEquals("close".equals(fields.get("Connection")), !reply.isPersistent(), head);
        return new Exchange(reply.status().code(), fields, body, reply.isPersistent());
    }
}

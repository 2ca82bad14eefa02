package dev.sluice.samples.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.campaign.FuzzTarget;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Whatever is sent, the reply is well-formed to its last octet, belongs to the query, and is no longer than the client
 * takes; and what has no header, or is a reply itself, gets none.
 */
final class DnsQueries implements FuzzTarget {

    private final Zone zone = ResponderTest.zone(ResponderTest.ZONE);
    private final Responder responder = new Responder(() -> zone, new QueryCounts());

    @Override
    public void check(byte[] input) {
        ByteBuffer reply = ByteBuffer.allocate(Responder.LONGEST_REPLY);
        byte[] query = input.clone();
        boolean replies = responder.respond(ByteBuffer.wrap(query), false, reply);
        assertTrue(Arrays.equals(input, query), "the query is changed");
        assertEquals(input.length >= 12 && input[2] >= 0, replies);
        if (!replies) {
            return;
        }
        byte[] octets = Arrays.copyOf(reply.array(), reply.position());
        DnsMessage parsed = DnsMessage.parse(octets);
        assertEquals((input[0] & 0xFF) << 8 | input[1] & 0xFF, parsed.id());
        assertEquals(0x8000 | (input[2] & 0x79) << 8, parsed.flags() & 0xF9F0);
        assertTrue(parsed.code() <= 5, "a code that there is not");
        assertEquals(input[2] >> 3 != 0, parsed.code() == 4, "other kinds of queries, and they alone, are unknown");
        assertTrue(octets.length <= (parsed.additional().isEmpty() ? 512 : 1232), "too long");
        boolean answers = parsed.code() != 1 && parsed.code() != 4;
        assertEquals(answers, !parsed.question().isEmpty());
        if (answers) {
            int end = 12 + questionLength(octets);
            assertTrue(Arrays.equals(octets, 12, end, input, 12, end), "the question is changed");
        }
    }

    private static int questionLength(byte[] reply) {
        int at = 12;
        while (reply[at] != 0) {
            at += 1 + reply[at];
        }
        return at + 1 + 4 - 12;
    }
}

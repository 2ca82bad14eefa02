package dev.sluice.samples.oltp.resp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyBufferTest {

    private static String written(Consumer<ReplyBuffer> replies) {
        ReplyBuffer buffer = new ReplyBuffer();
        replies.accept(buffer);
        assertEquals(buffer.size(), buffer.pending().remaining());
        return UTF_8.decode(buffer.pending()).toString();
    }

    @Test
    void writesEachType() {
        assertEquals("+OK\r\n", written(replies -> replies.simple("OK")));
        assertEquals("-ERR a??b\r\n", written(replies -> replies.error("ERR a\r\nb")));
        assertEquals("*2\r\n", written(replies -> replies.array(2)));
        assertEquals("$-1\r\n", written(ReplyBuffer::nullBulk));
        assertEquals("$3\r\n\u00fcx\r\n", written(replies -> replies.bulk("\u00fcx")));
        assertEquals("$0\r\n\r\n", written(replies -> replies.bulk("")));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 10, 1234567890, Long.MAX_VALUE, Long.MIN_VALUE})
    void writesNumbers(long value) {
        assertEquals(":" + value + "\r\n", written(replies -> replies.integer(value)));
    }

    @Test
    void losesNothingWhileItGrowsAndIsSentInPieces() {
        ReplyBuffer replies = new ReplyBuffer();
        StringBuilder expected = new StringBuilder();
        StringBuilder sent = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            replies.integer(i);
            expected.append(':').append(i).append("\r\n");
            // More than comes, now and then, so that it runs empty as well as full.
            ByteBuffer pending = replies.pending();
            for (int n = 0; pending.hasRemaining() && n < i / 100 % 12; n++) {
                sent.append((char) pending.get());
            }
            assertEquals(expected.length() - sent.length(), replies.size());
        }
        sent.append(UTF_8.decode(replies.pending()));
        assertEquals(0, replies.size());
        assertEquals(expected.toString(), sent.toString());
    }
}

package dev.sluice.samples.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class LooksTest {

    private static final int STACK = 256 * 1024;

    @Test
    void understandsNumbers() {
        assertEquals(0, Looks.parse("").count(0));
        Looks looks = Looks.parse("?since=0:3,7:14,2:999999999999999");
        assertEquals(3, looks.count(0));
        assertEquals(14, looks.count(7));
        assertEquals(999_999_999_999_999L, looks.count(2));
        assertEquals(0, looks.count(3));
        for (String wrong : new String[] {"?", "?since=", "?since=1", "?since=1:", "?since=:1", "?since=1:1,",
            "?since=,1:1", "?since=1:-1", "?since=1:1000000000000000", "?since=1000000000:1"}) {
            assertNull(Looks.parse(wrong), wrong);
        }
    }

    /** As many as fit into a request, in a thread with a small stack. */
    @Test
    void manyNumbersTakeNoMoreOfTheStackThanFew() throws Exception {
        String query = "?since=1:1" + ",1:2".repeat(4_000);
        long[] last = new long[1];
        Thread thread = new Thread(null, () -> last[0] = Looks.parse(query).count(1), "small stack", STACK);
        thread.start();
        thread.join();
        assertEquals(2, last[0]);
    }
}

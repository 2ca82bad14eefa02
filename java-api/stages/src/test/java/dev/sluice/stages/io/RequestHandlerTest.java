package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageOptions;
import dev.sluice.testing.Depth;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In which order requests are served that wait together. */
@Tag(Depth.IN_QUICK)
class RequestHandlerTest {

    private static final int REQUESTS = 16;
    private static final List<Integer> IN_ORDER = IntStream.range(0, REQUESTS).boxed().toList();

    /** Notes that it was served. */
    private static final class Numbered extends SocketRequest {

        private final int number;
        private final List<Integer> served;

        Numbered(int number, RequestHandler handler, List<Integer> served) {
            super(null, handler);
            this.number = number;
            this.served = served;
        }

        @Override
        void serve() {
            served.add(number);
        }

        @Override
        void fail(Throwable cause) {
            throw new AssertionError(cause);
        }

        @Override
        void abandon() {
            served.add(-1);
        }
    }

    /** {@return the order in which a batch of all of them was served} */
    private static List<Integer> served(boolean shuffles) {
        // Of the stage's thread, until the graph has been closed.
        List<Integer> served = new ArrayList<>();
        RequestHandler handler = new RequestHandler(shuffles, () -> { });
        try (StageGraph graph = new StageGraph("graph of a test")) {
            handler.setStage(graph.add("requests", SocketRequest.class, handler,
                    new StageOptions<SocketRequest>().batch(REQUESTS)));
            for (int i = 0; i < REQUESTS; i++) {
                new Numbered(i, handler, served).signal();
            }
            graph.start();
        }
        return served;
    }

    @Test
    void isTheirOwnUnlessItIsShuffled() {
        assertEquals(IN_ORDER, served(false));
    }

    @Test
    void isAnotherOneEachTimeIfItIsShuffled() {
        List<Integer> once = served(true);
        List<Integer> again = served(true);
        assertEquals(IN_ORDER, once.stream().sorted().toList());
        assertEquals(IN_ORDER, again.stream().sorted().toList());
        // Each of these fails once in 20,922,789,888,000 times.
        assertNotEquals(IN_ORDER, once);
        assertNotEquals(once, again);
    }

    @ParameterizedTest
    @ValueSource(strings = {"poll", "select"})
    void isShuffledWhereTheSystemReportsSocketsByTheirNumbers(String mechanism) {
        assertTrue(SocketStages.isOfFixedOrder(mechanism));
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "kqueue", "io_uring", "iocp"})
    void isNotShuffledElsewhere(String mechanism) {
        assertFalse(SocketStages.isOfFixedOrder(mechanism));
    }
}

package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageOptions;
import dev.sluice.testing.Depth;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class SocketRequestTest {

    /** Something for a stage to do that has never begun. */
    private static final class Request extends SocketRequest {

        Request(RequestHandler stage) {
            super(null, stage);
        }

        @Override
        void serve() {
        }

        @Override
        void fail(Throwable cause) {
            throw new AssertionError(cause);
        }

        @Override
        void abandon() {
        }
    }

    /** Two requests that gave way to each other would do so for as long as the queue notifies them. */
    @Test
    void aNotifiedRequestEntersAQueueThatOthersWaitFor() throws Exception {
        StageGraph graph = new StageGraph("graph of a test");
        RequestHandler own = new RequestHandler(false, () -> { });
        own.setStage(graph.add("requests", SocketRequest.class, own));
        EventQueue<Integer> target = graph.add("application", Integer.class, batch -> { },
                new StageOptions<Integer>().capacity(4)).queue();
        for (int i = 0; i < 3; i++) {
            assertEquals(EnqueueResult.ACCEPTED, target.enqueue(i));
        }
        Request request = new Request(own);
        assertTrue(request.mayEnter(target));
        Request waiting = new Request(own);
        waiting.awaitSpace(target);
        assertTrue(target.hasWaiters());
        assertFalse(request.mayEnter(target), "another request has waited for longer");
        request.spaceAvailable();
        assertTrue(request.mayEnter(target));
        assertFalse(request.mayEnter(target), "one notice is for one event");
        graph.stop(Duration.ZERO);
    }
}

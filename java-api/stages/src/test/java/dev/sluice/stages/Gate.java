package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.eventloop.OtherThread;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A handler that one thread at a time is inside of, and that lets none out before it is opened. */
final class Gate implements StageHandler<Integer> {

    /** Is handled like others, but not noted. */
    static final int FIRST = -1;

    final List<Integer> handled = new CopyOnWriteArrayList<>();
    final List<Throwable> causes = new CopyOnWriteArrayList<>();
    final List<Integer> discarded = new CopyOnWriteArrayList<>();
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    /**
     * Enqueues an event, and returns once a thread of the stage is inside the handler.
     *
     * @return the thread that has enqueued the event; if the stage is direct, it is the one inside
     */
    OtherThread<EnqueueResult> occupy(Stage<Integer> stage) {
        OtherThread<EnqueueResult> enqueuing = OtherThread.start(() -> stage.queue().enqueue(FIRST));
        OtherThread.await(inside);
        assertEquals(0, stage.length());
        return enqueuing;
    }

    void open() {
        open.countDown();
    }

    @Override
    public void handleEvents(EventBatch<Integer> batch) {
        for (Integer event = batch.next(); event != null; event = batch.next()) {
            inside.countDown();
            OtherThread.await(open);
            if (event != FIRST) {
                handled.add(event);
            }
        }
    }

    @Override
    public void handleFailure(Integer event, Throwable cause) {
        causes.add(cause);
    }

    @Override
    public void handleDiscarded(Integer event) {
        discarded.add(event);
    }

    @Override
    public boolean isExclusive() {
        return true;
    }
}

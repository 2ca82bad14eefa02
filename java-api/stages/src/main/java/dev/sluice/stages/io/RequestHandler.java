package dev.sluice.stages.io;

import dev.sluice.hook.HookFailure;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageHandler;
import java.util.Comparator;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The handler of the listen, read and write stages: it serves requests. */
final class RequestHandler implements StageHandler<SocketRequest> {

    private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);
    private static final Comparator<SocketRequest> BY_RANK = Comparator.comparingInt(request -> request.rank);

    private final boolean shuffles;
    private final Runnable stop;
    private @Nullable Stage<SocketRequest> stage;
    /** The queue as seen from the graph, so that it is open until the stage has ended. */
    private volatile @Nullable EventQueue<SocketRequest> inside;

    /**
     * Creates the handler of a stage.
     *
     * @param shuffles whether each batch is served in random order
     * @param stop     called when the stage has ended
     */
    RequestHandler(boolean shuffles, Runnable stop) {
        this.shuffles = shuffles;
        this.stop = stop;
    }

    /** Called before anything is enqueued. */
    void setStage(Stage<SocketRequest> newStage) {
        stage = newStage;
    }

    EventQueue<SocketRequest> queue() {
        EventQueue<SocketRequest> own = inside;
        if (own != null) {
            return own;
        }
        assert stage != null;
        return stage.queue();
    }

    @Override
    public void handleStart(StageContext context) {
        inside = context.queue(context.stage().name(), SocketRequest.class);
    }

    @Override
    public void handleEvents(EventBatch<SocketRequest> batch) {
        if (shuffles) {
            shuffle(batch);
        }
        for (SocketRequest request = batch.next(); request != null; request = batch.next()) {
            request.taken();
            request.serveExclusively();
        }
    }

    private static void shuffle(EventBatch<SocketRequest> batch) {
        for (int i = 0; i < batch.remaining(); i++) {
            batch.peek(i).rank = ThreadLocalRandom.current().nextInt();
        }
        batch.sort(BY_RANK);
    }

    @Override
    public void handleFailure(@Nullable SocketRequest request, Throwable cause) {
        HookFailure.log(LOG, this, request, cause);
    }

    @Override
    public void handleDiscarded(SocketRequest request) {
        // An operation that completes later finds the queue closed, and its result is discarded.
        request.taken();
        request.endOfStage();
    }

    @Override
    public void handleStop() {
        stop.run();
    }

    @Override
    public boolean isExclusive() {
        return true;
    }

    @Override
    public String toString() {
        return "socket stage " + stage;
    }
}

package dev.sluice.benchmarks.peers;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Samples what a server says about its stages. */
public final class StagesWatch implements Closeable {

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final StagesPage page;
    private final List<StagesPage.Look> looks = new ArrayList<>();
    private IOException failure;

    /**
     * Creates a watch that does not look yet.
     *
     * @param port of the server, on 127.0.0.1
     */
    public StagesWatch(int port) {
        page = new StagesPage(port);
    }

    /**
     * Begins to look.
     *
     * @param between from one answer to the next request
     * @return to be cancelled by the caller
     */
    public Future<?> lookEvery(Duration between) {
        return thread.scheduleWithFixedDelay(this::lookUnlessFailed, 0, between.toNanos(), TimeUnit.NANOSECONDS);
    }

    private synchronized void lookUnlessFailed() {
        if (failure != null) {
            return;
        }
        try {
            look();
        } catch (IOException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Looks once.
     *
     * @throws IOException          if that fails
     * @throws InterruptedException if the thread is interrupted
     */
    public synchronized void look() throws IOException, InterruptedException {
        looks.add(page.look());
    }

    /**
     * {@return all looks since the last call}
     *
     * @throws IOException if one has failed
     */
    public synchronized List<StagesPage.Look> take() throws IOException {
        if (failure != null) {
            throw new IOException("the stages were no longer to be seen: " + failure, failure);
        }
        List<StagesPage.Look> taken = List.copyOf(looks);
        looks.clear();
        return taken;
    }

    /** Looks no more. */
    @Override
    public void close() {
        thread.close();
        page.close();
    }
}

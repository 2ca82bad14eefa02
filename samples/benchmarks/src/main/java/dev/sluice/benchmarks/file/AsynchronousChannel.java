package dev.sluice.benchmarks.file;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** {@link AsynchronousFileChannel}, whose handlers begin the next operation. */
public final class AsynchronousChannel extends FileWorkload {

    private final ExecutorService threads;
    private final List<Chain> chains = new ArrayList<>();
    private final AsynchronousFileChannel file;

    /**
     * Opens the file.
     *
     * @param arguments as from {@link Job#arguments}; the last one is the number of threads, 0 for as many as there are
     *                  operations in flight
     * @throws IOException if it cannot be opened
     */
    public AsynchronousChannel(List<String> arguments) throws IOException {
        super(Job.of(arguments), true);
        int count = Integer.parseInt(Job.own(arguments));
        // What the channel makes for itself, if it is given no threads, is the same kind of pool.
        threads = count == 0 ? Executors.newCachedThreadPool() : Executors.newFixedThreadPool(count);
        try {
            file = AsynchronousFileChannel.open(job().path(), job().ofChannel(), threads);
        } catch (Throwable e) {
            threads.close();
            throw e;
        }
    }

    @Override
    void prepare() {
        chains.clear();
        slots().forEach(slot -> chains.add(new Chain(slot)));
    }

    @Override
    void run() throws IOException, InterruptedException {
        CountDownLatch running = new CountDownLatch(chains.size());
        for (Chain chain : chains) {
            chain.begin(running);
        }
        running.await();
        for (Chain chain : chains) {
            if (chain.failure != null) {
                throw new IOException(chain.failure);
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
        threads.close();
    }

    /** The operations of one slot. What one thread leaves in it the next finds, since the channel hands it over. */
    private final class Chain implements CompletionHandler<Integer, CountDownLatch> {

        private final Slot slot;
        private Throwable failure;

        Chain(Slot slot) {
            this.slot = slot;
        }

        void begin(CountDownLatch running) {
            slot.begin();
            if (job().writes()) {
                file.write(slot.block(), slot.place(), running, this);
            } else {
                file.read(slot.block(), slot.place(), running, this);
            }
        }

        @Override
        public void completed(Integer bytes, CountDownLatch running) {
            try {
                slot.end(bytes);
            } catch (IOException e) {
                failed(e, running);
                return;
            }
            if (deadline().isOver()) {
                running.countDown();
            } else {
                begin(running);
            }
        }

        @Override
        public void failed(Throwable cause, CountDownLatch running) {
            failure = cause;
            deadline().fail();
            running.countDown();
        }
    }
}

package dev.sluice.files;

import dev.sluice.calls.SmallJvm;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SystemCallException;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A program whose threads, some of them virtual if there are such, read pages in batches while its heap is full, again
 * and again.
 */
final class FullHeapBatches {

    static final String ALL_COMPLETED = "all batches have completed";

    private static final int PAGE = 4096;
    private static final int PAGES = 64;
    private static final int OPERATIONS = 8;
    private static final int THREADS = 6;
    /** Fewer than the operations of a batch, so that some wait for their turn. */
    private static final int IN_FLIGHT = 4;
    private static final int LARGE = 1 << 18;
    private static final int SMALL = 16;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long TRIAL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int BATCHES_BETWEEN = 20;

    private static volatile boolean over;
    private static volatile Throwable wrong;
    private static final AtomicInteger COMPLETED = new AtomicInteger();

    private FullHeapBatches() {
    }

    /** {@return the content of the file: each page consists of its number} */
    static byte[] pages() {
        byte[] pages = new byte[PAGES * PAGE];
        for (int i = 0; i < pages.length; i++) {
            pages[i] = (byte) (i / PAGE);
        }
        return pages;
    }

    /**
     * Reads.
     *
     * @param arguments the demultiplexer, the file, and the number of times that the heap is filled
     */
    public static void main(String[] arguments) throws Exception {
        try (FileLoop loop = FileLoop.open(Proactor.builder().demultiplexer(arguments[0]));
                LoopFile file = loop.add(FileHandle.open(Path.of(arguments[1])), IN_FLIGHT)) {
            CountDownLatch running = new CountDownLatch(THREADS);
            ThreadFactory virtual = virtualThreads();
            for (int i = 0; i < THREADS; i++) {
                Reader reader = new Reader(loop, file, i, running);
                (i % 2 == 0 ? virtual : (ThreadFactory) Thread::new).newThread(reader).start();
            }
            for (int i = 0; i < Integer.parseInt(arguments[2]) && wrong == null; i++) {
                awaitBatches();
                fill();
            }
            awaitBatches();
            over = true;
            running.await();
        }
        if (wrong != null) {
            wrong.printStackTrace(System.out);
        }
        System.out.println(SmallJvm.MARK + (wrong == null ? ALL_COMPLETED : wrong.toString()));
    }

    /** {@return the maker of virtual threads; of platform threads, if this Java has no others} */
    static ThreadFactory virtualThreads() throws ReflectiveOperationException {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
        } catch (NoSuchMethodException e) {
            return Thread::new;
        }
    }

    /** Waits until the threads have completed some batches. */
    private static void awaitBatches() {
        int before = COMPLETED.get();
        while (COMPLETED.get() - before < BATCHES_BETWEEN * THREADS && wrong == null) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Takes all of the heap for a while. */
    private static void fill() {
        Object[] all = null;
        for (int size = LARGE; size >= SMALL; size /= 4) {
            all = take(size, all);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        if (all == null) {
            wrong = new AssertionError("nothing was taken");
        }
    }

    private static Object[] take(int size, Object[] before) {
        Object[] all = before;
        try {
            while (true) {
                all = new Object[] {all, new byte[size]};
            }
        } catch (OutOfMemoryError e) {
            return all;
        }
    }

    /** Reads batches until it is over. */
    private static final class Reader implements Runnable {

        private final FileBatch batch;
        private final LoopFile file;
        private final CountDownLatch running;
        private final List<ByteBuffer> buffers = new ArrayList<>();
        private final int[] pages = new int[OPERATIONS];
        private int next;
        private int added;

        Reader(FileLoop loop, LoopFile file, int first, CountDownLatch running) {
            this.batch = new FileBatch(loop, OPERATIONS);
            this.file = file;
            this.next = first;
            this.running = running;
            for (int i = 0; i < OPERATIONS; i++) {
                buffers.add(ByteBuffer.allocateDirect(PAGE));
            }
        }

        @Override
        public void run() {
            while (!over && wrong == null) {
                try {
                    readBatch();
                    COMPLETED.incrementAndGet();
                } catch (OutOfMemoryError e) {
                    // The same batch is tried again.
                    pause();
                } catch (Throwable e) {
                    wrong = e;
                }
            }
            running.countDown();
        }

        /**
         * Keeps the carrier: Java forgets a virtual thread that waits for a time, if there is no memory to continue it
         * afterwards.
         */
        private static void pause() {
            for (long begin = System.nanoTime(); System.nanoTime() - begin < TRIAL_NANOS;) {
                Thread.onSpinWait();
            }
        }

        private void readBatch() {
            while (added < OPERATIONS) {
                batch.read(file, buffers.get(added).clear(), (long) next * PAGE);
                pages[added++] = next;
                next = (next + 7) % PAGES;
            }
            try {
                batch.await();
            } catch (IOException e) {
                requireShortage(e);
            }
            added = 0;
            for (int i = 0; i < OPERATIONS; i++) {
                IOException failure = batch.error(i);
                if (failure != null) {
                    requireShortage(failure);
                } else if (batch.bytes(i) != PAGE || buffers.get(i).get(0) != pages[i]
                        || buffers.get(i).get(PAGE - 1) != pages[i]) {
                    throw new AssertionError("page " + pages[i] + " has not been read");
                }
            }
        }

        private static void requireShortage(IOException failure) {
            boolean refused = failure instanceof SystemCallException e && e.errorName().equals("ENOMEM");
            if (!refused && !(failure.getCause() instanceof OutOfMemoryError)) {
                throw new AssertionError(failure);
            }
        }
    }
}

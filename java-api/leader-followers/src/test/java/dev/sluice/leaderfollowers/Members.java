package dev.sluice.leaderfollowers;

import dev.sluice.eventloop.OtherThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Threads that have joined a pool which has nothing to dispatch. */
final class Members implements AutoCloseable {

    private final MultipleLeadersPool pool;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    Members(MultipleLeadersPool pool, int count) {
        this.pool = pool;
        for (int i = 0; i < count; i++) {
            start(Thread.NORM_PRIORITY);
        }
        awaitAll();
    }

    /** Adds one more thread, and returns when it is in. */
    void add(int priority) {
        start(priority);
        awaitAll();
    }

    private void start(int priority) {
        Thread thread = new Thread(this::run, "member " + threads.size() + " of a test's pool");
        thread.setDaemon(true);
        thread.setPriority(priority);
        threads.add(thread);
        thread.start();
    }

    private void awaitAll() {
        OtherThread.await(() -> threads.stream().allMatch(this::isIn));
    }

    private void run() {
        try {
            pool.join();
        } catch (Throwable e) {
            failures.add(e);
        }
    }

    private boolean isIn(Thread thread) {
        return pool.threads(ThreadRole.LEADER).contains(thread) || pool.threads(ThreadRole.FOLLOWER).contains(thread);
    }

    Thread thread(int index) {
        return threads.get(index);
    }

    List<Thread> threads() {
        return List.copyOf(threads);
    }

    /** Waits until a thread has left the pool. */
    void awaitEnd(int index) {
        OtherThread.awaitEnd(threads.get(index));
    }

    /** {@return what has come out of joins instead of a normal end} */
    Queue<Throwable> failures() {
        return failures;
    }

    @Override
    public void close() throws Exception {
        PoolTest.close(pool);
        threads.forEach(OtherThread::awaitEnd);
    }
}

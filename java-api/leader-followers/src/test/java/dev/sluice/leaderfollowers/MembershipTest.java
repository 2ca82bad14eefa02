package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Pipe;
import dev.sluice.reactor.Recorder;
import dev.sluice.testing.Depth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Threads come and go. */
@Tag(Depth.IN_QUICK)
class MembershipTest extends PoolContract {

    private static final int THREADS = 6;

    @Test
    void threadsAreAddedWhileItRuns() throws Exception {
        Pipe pipe = pipe();
        Recorder reader = register("reader", pipe);
        join(1);
        for (int i = 1; i < THREADS; i++) {
            join(1);
            send(pipe);
            int expected = i;
            OtherThread.await(() -> reader.received() == expected && pool.threads(ThreadRole.PROCESSING).isEmpty());
        }
    }

    @Test
    void anyThreadIsRemovedAndTheOthersGoOn() throws Exception {
        Pipe pipe = pipe();
        Recorder reader = register("reader", pipe);
        Members members = join(THREADS);
        List<Thread> left = new ArrayList<>(members.threads());
        // The leader each time, so that another one has to be promoted; then a follower.
        for (int i = 1; i < THREADS; i++) {
            List<Thread> followers = pool.threads(ThreadRole.FOLLOWER);
            Thread removed = i % 2 == 0 || followers.isEmpty()
                    ? pool.threads(ThreadRole.LEADER).get(0) : followers.get(0);
            assertTrue(pool.remove(removed));
            OtherThread.awaitEnd(removed);
            left.remove(removed);
            send(pipe);
            int expected = i;
            OtherThread.await(() -> reader.received() == expected && pool.threads(ThreadRole.PROCESSING).isEmpty());
            assertTrue(left.stream().allMatch(Thread::isAlive));
        }
        assertFalse(pool.remove(Thread.currentThread()));
    }

    @Test
    void allThreadsAreRemovedAtOnce() throws Exception {
        Members members = join(THREADS);
        members.threads().forEach(pool::remove);
        members.threads().forEach(OtherThread::awaitEnd);
        for (ThreadRole role : ThreadRole.values()) {
            assertEquals(List.of(), pool.threads(role));
        }
        // Nothing is left over that would keep others from coming.
        Pipe pipe = pipe();
        Recorder reader = register("reader", pipe);
        join(2);
        send(pipe);
        OtherThread.await(() -> reader.received() == 1);
    }

    @Test
    void threadThatIsRemovedFinishesWhatItProcesses() throws Exception {
        Pipe pipe = pipe();
        CountDownLatch go = new CountDownLatch(1);
        Recorder reader = register("reader", pipe).onInput(() -> OtherThread.await(go));
        Members members = join(1);
        send(pipe);
        OtherThread.await(() -> !reader.threads().isEmpty());
        assertTrue(pool.remove(members.thread(0)));
        send(pipe);
        go.countDown();
        members.awaitEnd(0);
        assertEquals(1, reader.count("input"));
        join(1);
        OtherThread.await(() -> reader.received() == 2);
    }

    @Test
    void joinEndsWithItsTime() throws Exception {
        assertTrue(pool.join(Duration.ZERO));
        assertTrue(pool.join(Duration.ofMillis(5)));
        join(THREADS);
        assertTrue(pool.join(Duration.ZERO));
        assertTrue(pool.join(Duration.ofMillis(5)));
        assertThrows(IllegalArgumentException.class, () -> pool.join(Duration.ofNanos(-1)));
    }

    @Test
    void joinWithoutTimeDispatchesOneEventAtMost() throws Exception {
        List<Recorder> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Pipe pipe = pipe();
            readers.add(register("reader " + i, pipe));
            sendAndAwaitArrival(pipe);
        }
        for (int i = 1; i <= 3; i++) {
            assertTrue(pool.join(Duration.ZERO));
            assertEquals(i, readers.stream().mapToInt(Recorder::received).sum());
        }
    }

    @Test
    void interruptDoesNotEndAWait() throws Exception {
        Pipe pipe = pipe();
        Recorder reader = register("reader", pipe);
        Members members = join(THREADS);
        members.threads().forEach(Thread::interrupt);
        for (int i = 1; i <= 50; i++) {
            send(pipe);
            int expected = i;
            OtherThread.await(() -> reader.received() == expected);
        }
        assertTrue(members.threads().stream().allMatch(Thread::isAlive));
    }

    @Test
    void closeWaitsForWhatIsProcessed() throws Exception {
        Pipe pipe = pipe();
        Pipe idle = pipe();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Recorder reader = register("reader", pipe).onInput(() -> {
            entered.countDown();
            OtherThread.await(go);
        });
        Recorder idler = register("idler", idle);
        Members members = join(THREADS);
        send(pipe);
        OtherThread.await(entered);
        OtherThread<Boolean> closer = OtherThread.start(() -> {
            pool.close();
            return reader.called("close");
        });
        OtherThread.await(pool::isClosed);
        OtherThread.awaitWaiting(closer.thread());
        assertFalse(reader.called("close"));
        go.countDown();
        assertTrue(closer.result());
        assertEquals(List.of("input", "close READ"), reader.calls());
        assertEquals(List.of("close READ"), idler.calls());
        members.close();
        assertEquals(0, members.failures().size());
        assertFalse(pool.join(Duration.ZERO));
        assertThrows(IllegalStateException.class, () -> reader.register(pool, Interest.READ));
        pool.close();
    }

    @Test
    void hookClosesThePool() throws Exception {
        Pipe pipe = pipe();
        Recorder reader = register("reader", pipe).onInput(pool::close);
        Members members = join(THREADS);
        send(pipe);
        members.threads().forEach(OtherThread::awaitEnd);
        assertEquals(List.of("input", "close READ"), reader.calls());
        assertEquals(0, members.failures().size());
    }

    /** The closing thread, here not one of the pool's, runs the remaining hooks and tasks. */
    @Test
    void hooksThatTheCloseCallsMayClose() throws Exception {
        Pipe pipe = pipe();
        Recorder reader = register("reader", pipe).onClose(pool::close);
        CountDownLatch ran = new CountDownLatch(1);
        pool.execute(() -> {
            pool.close();
            ran.countDown();
        });
        OtherThread.run(pool::close);
        assertEquals(List.of("close READ"), reader.calls());
        assertEquals(0, ran.getCount());
    }

    @Test
    void hooksCloseThePoolAllAtOnce() throws Exception {
        CountDownLatch all = new CountDownLatch(THREADS);
        List<Recorder> readers = new ArrayList<>();
        Members members = join(THREADS);
        for (int i = 0; i < THREADS; i++) {
            Pipe pipe = pipe();
            Recorder reader = reader("reader " + i, pipe).onInput(() -> {
                all.countDown();
                OtherThread.await(all);
                pool.close();
            });
            reader.register(pool, Interest.READ);
            readers.add(reader);
            send(pipe);
        }
        members.threads().forEach(OtherThread::awaitEnd);
        readers.forEach(reader -> assertEquals(List.of("input", "close READ"), reader.calls()));
        assertEquals(0, members.failures().size());
    }
}

package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.WaitFunctions;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.Pipe;
import dev.sluice.reactor.Recorder;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The system refuses to wake a thread of a pool. */
class RefusedWakeUpTest extends PoolContract {

    private static final int THREADS = 4;
    private static final int MANY = 1000;

    private HandleSetSource handles;
    private RefusingSource source;
    private MultipleLeadersPool refusing;

    @BeforeEach
    void openRefusingPool() throws IOException {
        handles = openSource();
        source = new RefusingSource(handles);
        refusing = ownPool(new MultipleLeadersPool(PromotionOrder.FIFO, List.of(source)));
    }

    private Members members(int count) {
        return own(new Members(refusing, count));
    }

    @Test
    void closeEndsAndTellsOfTheRefusal() throws Exception {
        Recorder idle = reader("idle", pipe());
        idle.register(handles, Interest.READ);
        Members members = members(THREADS);
        source.refuse(1);
        OtherThread<Void> closer = OtherThread.start(() -> {
            refusing.close();
            return null;
        });
        assertThrows(UncheckedIOException.class, closer::result);
        assertEquals(1, source.closes());
        assertEquals(List.of("close READ"), idle.calls());
        members.threads().forEach(OtherThread::awaitEnd);
        assertEquals(List.of(), List.copyOf(members.failures()));
        close(refusing);
        assertEquals(1, source.closes());
    }

    /** What a wake-up cannot do, the close of the source does. */
    @Test
    void closeEndsIfEveryWakeUpIsRefused() throws Exception {
        Members members = members(THREADS);
        source.refuse(MANY);
        OtherThread<Void> closer = OtherThread.start(() -> {
            refusing.close();
            return null;
        });
        assertThrows(UncheckedIOException.class, closer::result);
        assertEquals(1, source.closes());
        members.threads().forEach(OtherThread::awaitEnd);
        OtherThread.await(() -> refusing.threads(ThreadRole.LEADER).isEmpty());
        source.refuse(0);
    }

    @Test
    void everySourceIsClosedAndEveryThreadThatCanBeIsWoken() throws Exception {
        RefusingSource timers = new RefusingSource(new TimerSource(TimerQueue.heap()));
        RefusingSource queue = new RefusingSource(new QueueSource<>(new LinkedBlockingQueue<Integer>(), e -> { }));
        List<RefusingSource> sources = List.of(timers, source, queue);
        refusing = ownPool(new MultipleLeadersPool(PromotionOrder.FIFO, sources));
        Members members = members(THREADS);
        sources.forEach(each -> each.refuse(1));
        OtherThread<Void> closer = OtherThread.start(() -> {
            refusing.close();
            return null;
        });
        UncheckedIOException failure = assertThrows(UncheckedIOException.class, closer::result);
        assertEquals(2, failure.getSuppressed().length);
        assertEquals(List.of(1, 1, 1), sources.stream().map(RefusingSource::closes).toList());
        members.threads().forEach(OtherThread::awaitEnd);
        assertEquals(List.of(), List.copyOf(members.failures()));
    }

    @Test
    void threadThatCouldNotBeWokenIsAskedToLeaveAgain() throws Exception {
        Members members = members(1);
        source.refuse(1);
        assertThrows(UncheckedIOException.class, () -> refusing.remove(members.thread(0)));
        assertTrue(refusing.remove(members.thread(0)));
        members.awaitEnd(0);
        assertEquals(0, members.failures().size());
    }

    /** The real system: then the close of the handle set does not end the wait until the system accepts its signal. */
    @Test
    void poolIsClosedEvenIfTheSystemWakesNoThread() throws Exception {
        Pipe pipe = pipe();
        try (FaultInjection faults = FaultInjection.install()) {
            LeaderFollowersPool unwakeable = openPool(PromotionOrder.LIFO);
            Recorder idle = reader("idle", pipe);
            idle.register(unwakeable, Interest.READ);
            OtherThread<Void> member = OtherThread.start(() -> {
                unwakeable.join();
                return null;
            });
            OtherThread.await(() -> !unwakeable.threads(ThreadRole.LEADER).isEmpty());
            faults.failEach(WaitFunctions.waking(handleSet.demultiplexer()), Errno.EIO);
            OtherThread<Void> closer = OtherThread.start(() -> {
                unwakeable.close();
                return null;
            });
            assertThrows(UncheckedIOException.class, closer::result);
            assertEquals(1, idle.count("close"));
            faults.heal();
            close(unwakeable);
            member.result();
        }
    }

}

package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.dispatch.CloseTiming;
import dev.sluice.dispatch.HandlerEntry;
import dev.sluice.dispatch.HandlerTable;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.Recorder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One thread takes events from a handle while another one adds some: as if one had come after the other. */
class RemovalTest extends PoolContract {

    private static final int ROUNDS = 200;
    private static final int MANY_ROUNDS = 50_000;

    private HandlerTable table;
    private Handle handle;

    @BeforeEach
    void openTable() throws IOException {
        SynchronousEventDemultiplexer demultiplexer =
                own(OpenedDemultiplexers.openSynchronous(handleSet.demultiplexer()));
        table = new HandlerTable(null, demultiplexer, CloseTiming.AFTER_HOOKS, null, null);
        own(table::close);
        handle = pipe().source();
    }

    private void register(Recorder handler, Interest interest) throws IOException {
        table.register(new HandlerEntry(table, handle, handler, interest));
    }

    /** An entry that the test locks: no thread changes the state of an entry without its lock. */
    private static final class LockedEntry extends HandlerEntry {

        LockedEntry(HandlerTable table, Handle handle, Recorder handler) {
            super(table, handle, handler, Interest.READ);
        }

        void whileLocked(OtherThread.Action action) throws Exception {
            lock();
            try {
                action.run();
            } finally {
                unlock();
            }
        }
    }

    @Test
    void eventsThatAreAddedBeforeTheEndGoWithIt() throws Exception {
        Recorder handler = new Recorder("handler", handle);
        LockedEntry entry = new LockedEntry(table, handle, handler);
        table.register(entry);
        List<OtherThread<Void>> removers = new ArrayList<>();
        entry.whileLocked(() -> {
            OtherThread<Void> remover = OtherThread.start(() -> {
                entry.end(null);
                return null;
            });
            removers.add(remover);
            OtherThread.awaitWaiting(remover.thread());
            entry.interest(Interest.READ.plus(Interest.EXCEPTION));
            assertSame(entry, table.find(handle));
        });
        removers.get(0).result();
        assertEquals(List.of("close READ|EXCEPTION"), handler.calls());
        assertNull(table.find(handle));
    }

    @Test
    void nothingIsLostAndNothingStays() throws Exception {
        race(ROUNDS);
    }

    @Tag("stress")
    @Test
    void nothingIsLostAndNothingStaysInManyRounds() throws Exception {
        race(MANY_ROUNDS);
    }

    private void race(int rounds) throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        OtherThread<Void> remover = OtherThread.start(() -> {
            for (int round = 0; round < rounds; round++) {
                together.await(30, TimeUnit.SECONDS);
                spin(round % 7);
                table.find(handle).end(null);
                together.await(30, TimeUnit.SECONDS);
            }
            return null;
        });
        for (int round = 0; round < rounds; round++) {
            Recorder handler = new Recorder("handler", handle);
            register(handler, Interest.READ);
            together.await(30, TimeUnit.SECONDS);
            spin(round % 5);
            boolean again = registersAgain(handler);
            together.await(30, TimeUnit.SECONDS);
            HandlerEntry entry = table.find(handle);
            if (!again) {
                assertEquals(List.of("close READ"), handler.calls());
            } else {
                entry.end(null);
                assertEquals(List.of("close READ", "close EXCEPTION"), handler.calls());
            }
            assertNull(table.find(handle));
        }
        remover.result();
    }

    /** {@return whether the first registration had ended} */
    private boolean registersAgain(Recorder handler) throws IOException {
        try {
            register(handler, Interest.EXCEPTION);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private static void spin(int steps) {
        for (int i = 0; i < steps * 20; i++) {
            Thread.onSpinWait();
        }
    }
}

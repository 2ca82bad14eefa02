package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.InterceptedCalls.WAITS;
import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer.FOREVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wait of the demultiplexer's owner returns the same as any other wait. */
public abstract class OwnersWaitContract extends DemultiplexerContract {

    private static final long A_WHILE = PATIENCE.toNanos();

    @TempDir
    Path directory;

    protected OwnersWaitContract(String name) {
        super(name);
    }

    private Pipe readablePipe() throws IOException {
        Pipe pipe = pipe();
        pipe.send(ByteBuffer.allocate(1));
        return pipe;
    }

    @ParameterizedTest
    @ValueSource(longs = {0, FOREVER, 3_600_000_000_000L, Long.MIN_VALUE})
    void reportsWhatIsReady(long nanos) throws IOException {
        Membership readable = register(readablePipe().source(), READ);
        register(pipe().source(), READ);
        assertEquals(1, demultiplexer.awaitAsOwner(ready, nanos));
        assertEquals(1, ready.size());
        assertSame(readable, ready.membership(0));
        assertEquals(READ, ready.events(0));
    }

    @Test
    void isClearedBeforeItIsFilled() throws IOException {
        register(readablePipe().source(), READ);
        assertEquals(1, demultiplexer.awaitAsOwner(ready, 0));
        ready.membership(0).remove();
        assertEquals(0, demultiplexer.awaitAsOwner(ready, 0));
        assertEquals(0, ready.size());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1_000_001})
    void isOverWithItsTime(long nanos) throws IOException {
        register(pipe().source(), READ);
        long start = System.nanoTime();
        assertEquals(0, demultiplexer.awaitAsOwner(ready, nanos));
        assertTrue(System.nanoTime() - start >= nanos, "is cut short");
    }

    @Test
    void wakeUpEndsOneWait() throws Exception {
        register(pipe().source(), READ);
        demultiplexer.wakeUp();
        assertEquals(0, demultiplexer.awaitAsOwner(ready, FOREVER));
        for (int round = 0; round < 3; round++) {
            Waiter waiter = start(new Waiter(demultiplexer::awaitAsOwner, newBatch(8), FOREVER)).asleep();
            demultiplexer.wakeUp();
            assertEquals(0, waiter.result());
        }
        assertEquals(0, demultiplexer.awaitAsOwner(ready, A_MOMENT));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void signalsDoNotEndIt() throws Exception {
        register(pipe().source(), READ);
        Waiter waiter = start(new Waiter(demultiplexer::awaitAsOwner, newBatch(8), FOREVER)).asleep();
        for (int signals = 0; signals < 10; signals++) {
            ThreadSignal.interruptSystemCall(waiter.threadNumber());
            waiter.asleep();
        }
        demultiplexer.wakeUp();
        assertEquals(0, waiter.result());
    }

    @Test
    void handlesCloseWhileItSleeps() throws Exception {
        Pipe pipe = pipe();
        Membership closed = register(pipe.source(), READ);
        Pipe other = pipe();
        Membership readable = register(other.source(), READ);
        Waiter waiter = start(new Waiter(demultiplexer::awaitAsOwner, newBatch(8), FOREVER)).asleep();
        pipe.source().close();
        pipe.sink().close();
        assertEquals(0, closed.events());
        other.send(ByteBuffer.allocate(1));
        assertEquals(1, waiter.result());
        assertSame(readable, waiter.ready().membership(0));
    }

    /** Between the return of the system call and the processing of its result. */
    @ParameterizedTest
    @ValueSource(longs = {0, A_MOMENT})
    void nextHandleAfterTheAnswerHasNoPast(long nanos) throws IOException {
        InterceptedCalls calls = new InterceptedCalls(Bindings.current());
        SynchronousEventDemultiplexer intercepted = own(openDemultiplexer(calls.binding()));
        ReadyBatch batch = own(intercepted.newReadyBatch(8));
        Pipe pipe = readablePipe();
        intercepted.register(pipe.source(), READ, "old");
        calls.after(WAITS, () -> {
            pipe.source().close();
            intercepted.register(pipe().source(), READ, "new");
        });
        assertEquals(0, intercepted.awaitAsOwner(batch, nanos), () -> batch.membership(0).attachment() + " seen");
    }

    /** A result that is no longer needed does not end a wait without a timeout. */
    @Test
    void continuesWhenTheReportIsNoLongerNeeded() throws IOException {
        InterceptedCalls calls = new InterceptedCalls(Bindings.current());
        SynchronousEventDemultiplexer intercepted = own(openDemultiplexer(calls.binding()));
        ReadyBatch batch = own(intercepted.newReadyBatch(8));
        Membership unwanted = intercepted.register(readablePipe().source(), READ, null);
        Pipe pipe = pipe();
        Membership wanted = intercepted.register(pipe.source(), READ, null);
        calls.after(WAITS, () -> {
            unwanted.remove();
            pipe.send(ByteBuffer.allocate(1));
        });
        assertEquals(1, intercepted.awaitAsOwner(batch, FOREVER));
        assertSame(wanted, batch.membership(0));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void filesAreReportedBesideOthers() throws IOException {
        Path path = Files.write(directory.resolve("file"), new byte[100]);
        FileHandle file = own(FileHandle.open(path));
        Membership always = register(file.handle(), READ);
        Membership other = register(readablePipe().source(), READ);
        for (long nanos : new long[] {0, A_WHILE, FOREVER}) {
            assertEquals(2, demultiplexer.awaitAsOwner(ready, nanos));
            assertEquals(Set.of(always, other), Set.of(ready.membership(0), ready.membership(1)));
            always.rearm();
            other.rearm();
        }
        always.remove();
        assertEquals(1, demultiplexer.awaitAsOwner(ready, FOREVER));
    }
}

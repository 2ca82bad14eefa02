package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.PipeSink;
import dev.sluice.handle.PipeSource;
import dev.sluice.handle.SystemCallException;
import dev.sluice.system.OperatingSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Pipes and terminals by completions. */
class AsyncPipeTest extends ProactorContract {

    private Pipe pipe;
    private AsyncPipeSource source;
    private AsyncPipeSink sink;

    @BeforeEach
    void openPipe() throws IOException {
        pipe = own(Pipe.open());
        source = new AsyncPipeSource(proactor, pipe.source(), recorder);
        sink = new AsyncPipeSink(proactor, pipe.sink(), recorder);
    }

    @Test
    void readsAndWrites() throws Exception {
        ByteBuffer room = ByteBuffer.allocateDirect(10);
        source.read(room, "read");
        runUntilIdle();
        assertEquals(0, recorder.over());
        sink.write(heap("hello"), "write");
        CompletionRecorder.Result written = result("write");
        CompletionRecorder.Result read = result("read");
        assertEquals("write", written.hook());
        assertEquals(OperationType.WRITE_PIPE, written.type());
        assertEquals(5, written.bytes());
        assertEquals("read", read.hook());
        assertEquals(OperationType.READ_PIPE, read.type());
        assertEquals(5, read.bytes());
        assertSame(pipe.source().handle(), read.handle());
        assertReceived("hello", room);
        assertSame(pipe.source(), source.source());
        assertSame(pipe.sink(), sink.sink());
    }

    @Test
    void tellsTheEnd() throws Exception {
        source.read(ByteBuffer.allocate(10), "end");
        sink.close((Object) "close");
        assertTrue(result("end").end());
        assertEquals(-1, recorder.last("end").bytes());
        assertTrue(result("close").last());
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void futuresFailWhenNobodyReads() throws Exception {
        OperationFuture<Long> read = source.readFuture(ByteBuffer.allocate(10));
        assertEquals(1, result(sink.writeFuture(heap("x"))));
        assertEquals(1, result(read));
        pipe.source().close();
        OperationFuture<Long> lost = sink.writeFuture(heap("y"));
        runUntil(lost::isDone);
        Throwable cause = assertThrows(Exception.class, lost::get).getCause();
        assertEquals(Errno.EPIPE, ((SystemCallException) cause).error());
        assertTrue(cause.getMessage().startsWith("write pipe sink"), cause::getMessage);
    }

    @Test
    void isCancelledByItsTicket() throws Exception {
        long first = source.read(ByteBuffer.allocate(10), "first");
        source.read(ByteBuffer.allocate(10), "second");
        runUntilIdle();
        source.cancel(first);
        assertTrue(result("first").isCancelled());
        runUntilIdle();
        assertEquals(1, recorder.over());
        source.close();
        assertTrue(result("second").isCancelled());
    }

    @Test
    void aPipeBelongsToOneOfThese() {
        assertThrows(IllegalStateException.class, () -> new AsyncPipeSource(proactor, pipe.source()));
        assertThrows(IllegalStateException.class, () -> new AsyncPipeSink(proactor, pipe.sink()));
    }

    /** A terminal without a user: what is written to one side is typed at the other. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void readsFromATerminal() throws Exception {
        long fd = OperatingSystem.current().open(Path.of("/dev/ptmx"), StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        try (PipeSource screen = new PipeSource(Handle.adopt(fd, "terminal"))) {
            PipeSink keyboard = new PipeSink(screen.handle());
            AsyncPipeSource reading = new AsyncPipeSource(proactor, screen, recorder);
            // The terminal echoes what is typed.
            ByteBuffer room = ByteBuffer.allocateDirect(100);
            reading.read(room, "echo");
            runUntilIdle();
            assertEquals(0, recorder.over());
            keyboard.send(heap("typed"));
            assertTrue(result("echo").bytes() > 0);
            assertTrue("typed".startsWith(text(room.flip())));
        }
    }
}

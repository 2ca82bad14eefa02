package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.Recorder;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A hook that fails by what it does to another handle of the pool. */
// A send to a peer that has closed fails at once through Unix domain sockets only.
@Tag(CalledSystem.NOT_WINDOWS)
class FailureElsewhereTest extends PoolContract {

    @Test
    void costsTheHandleThatItIsAboutAndNotTheOneThatHasTried() throws Exception {
        Pipe from = pipe();
        Pipe to = pipe();
        Recorder other = new Recorder("other", to.sink());
        Recorder hook = reader("hook", from);
        hook.onInput(() -> to.send(ByteBuffer.allocate(1)));
        other.register(pool, Interest.NONE);
        hook.register(pool, Interest.READ);
        join(2);
        to.source().close();
        send(from);
        OtherThread.await(() -> other.called("close"));
        assertEquals(List.of("failure", "close NONE"), other.calls());
        assertSame(other.handle(), ((SystemCallException) other.failures().get(0)).handle());
        hook.onInput(() -> { });
        send(from);
        OtherThread.await(() -> hook.count("input") == 2);
        assertEquals(List.of("input", "input"), hook.calls());
        // The exception's handle is no longer registered, so the failure belongs to the hook's own registration.
        hook.onInput(() -> to.send(ByteBuffer.allocate(1)));
        send(from);
        OtherThread.await(() -> hook.called("close"));
        assertEquals(List.of("input", "input", "input", "failure", "close READ"), hook.calls());
    }
}

package dev.sluice.demultiplexer;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/**
 * A cancellation that another thread requests while a wait is returning the completion: the waiting thread processes it
 * when the operation may already be in flight again.
 */
abstract class CancelDuringWaitContract extends OperationContract {

    private InterceptedCalls calls;

    CancelDuringWaitContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @Override
    final AsynchronousEventDemultiplexer open() throws IOException {
        Binding real = Bindings.current();
        calls = new InterceptedCalls(real);
        // A demultiplexer keeps the binding that it was opened with.
        Bindings.use(calls.binding());
        try {
            return super.open();
        } finally {
            Bindings.use(real);
        }
    }

    @Test
    void ofAnOperationLeavesItsNextStartAlone() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        Flight receive = start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        collect(0);
        Peer.send(pair.far(), (byte) 1);
        calls.after(InterceptedCalls.WAITS, () -> inAnotherThread(receive.operation()::cancel));
        boolean cancelled = isCancelled(receive);
        receive.start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        if (!cancelled) {
            assertNoCompletion();
            Peer.send(pair.far(), (byte) 2);
        }
        assertResult(1, receive);
    }

    private void inAnotherThread(Runnable action) {
        try {
            finish(inBackground(() -> {
                action.run();
                return null;
            }));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}

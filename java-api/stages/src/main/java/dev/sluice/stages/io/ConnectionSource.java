package dev.sluice.stages.io;

import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.stages.EventQueue;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What makes connections: a listening socket, or an attempt to connect. At most one operation is in flight, for which a
 * slot is taken; its stream becomes a connection, which keeps the slot. Fields are accessed only by the thread that
 * serves, apart from the result.
 */
abstract class ConnectionSource extends SocketRequest implements CompletionHandler {

    /** What an operation has brought: one of both, or neither if it is only time to try again. */
    record Result(SocketStream stream, IOException error) {
    }

    private final EventQueue<? super SocketEvent> target;
    /** Until it is taken. */
    private final AtomicReference<Result> result = new AtomicReference<>();
    /** Whether a slot is taken for a connection that is not there yet. */
    private boolean slotTaken;

    ConnectionSource(SocketStages sockets, RequestHandler stage, EventQueue<? super SocketEvent> target) {
        super(sockets, stage);
        this.target = target;
    }

    /** The operation has completed. Called by any thread. */
    final void setResult(SocketStream stream, IOException error) {
        result.set(new Result(stream, error));
        signal();
    }

    /** {@return what the operation has brought; null if it is in flight, or that was taken already} */
    final Result takeResult() {
        return result.getAndSet(null);
    }

    /** {@return whether there may be another connection} */
    final boolean takeSlot() {
        slotTaken = sockets.takeSlot();
        return slotTaken;
    }

    final void giveSlotBack() {
        if (slotTaken) {
            slotTaken = false;
            sockets.giveSlotBack();
        }
    }

    /** Makes a connection, which is the next event. If that fails, the stream is closed. */
    final void connect(SocketStream stream) throws IOException {
        try {
            setPending(new AsyncConnection(sockets, stream, target));
            slotTaken = false;
        } catch (IOException | RuntimeException | Error e) {
            stream.close();
            throw e;
        }
    }

    final boolean deliverPending() {
        return deliverPending(target);
    }

    @Override
    void abandon() {
        giveSlotBack();
        dropPending();
        Result left = takeResult();
        if (left != null && left.stream() != null) {
            left.stream().close();
        }
    }
}

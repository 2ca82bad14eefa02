package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Accepting;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.SocketStream;
import org.jspecify.annotations.Nullable;

/** Accepts one connection, or connections continuously. */
final class Accept extends Attempt<Accepting> {

    private final boolean continuously;

    Accept(Emulation emulation, Accepting arguments, boolean continuously) {
        super(emulation, arguments);
        this.continuously = continuously;
    }

    @Override
    protected void begin() {
        await(EventType.READ);
    }

    @Override
    long call() {
        return emulation.system.accept(descriptor(), 0, 0);
    }

    @Override
    boolean ready(int came) {
        for (int i = 0; i < Emulation.ATTEMPT_BUDGET; i++) {
            long result = perform();
            if (result >= 0) {
                if (accepted(arguments.adopt(result))) {
                    return true;
                }
            } else if (Errno.EAGAIN.is(result)) {
                break;
            } else if (ErrorScope.ofAccept(result) != ErrorScope.PEER) {
                outcomes.complete(operation, result);
                return true;
            }
        }
        await(EventType.READ);
        return true;
    }

    /** {@return whether the operation is over; false if the stream is null, because there was no memory for it} */
    private boolean accepted(@Nullable SocketStream stream) {
        if (stream == null) {
            return false;
        }
        if (continuously) {
            outcomes.report(operation, 0, stream);
        } else {
            outcomes.complete(operation, 0, stream);
        }
        return !continuously;
    }
}

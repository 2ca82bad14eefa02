package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.PooledCall;
import java.util.function.LongUnaryOperator;

/** Makes a call that may block, and needs only the descriptor. */
final class DescriptorCall extends PooledRequest<Arguments> {

    /** The call, which is the same for all starts. */
    private final PooledCall call;

    DescriptorCall(IocpDemultiplexer demultiplexer, Arguments arguments, LongUnaryOperator function) {
        super(demultiplexer, arguments);
        call = new PooledCall(operation) {
            @Override
            protected long make() {
                return Math.min(0, function.applyAsLong(descriptor()));
            }
        };
    }

    @Override
    PooledCall nextCall() {
        return call;
    }
}

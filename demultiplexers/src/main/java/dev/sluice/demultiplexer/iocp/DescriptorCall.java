package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.PooledCall;
import java.util.function.LongUnaryOperator;

/** Makes a call that may wait, and needs the descriptor alone. */
final class DescriptorCall extends PooledRequest<Arguments> {

    /** The same each time. */
    private final PooledCall call;

    DescriptorCall(IocpDemultiplexer demultiplexer, Arguments asked, LongUnaryOperator function) {
        super(demultiplexer, asked);
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

package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Arguments;
import java.util.function.LongUnaryOperator;

/** Makes a call that may wait for a disk, and needs only the descriptor. */
final class DescriptorCall extends PooledAttempt<Arguments> {

    private final LongUnaryOperator call;

    DescriptorCall(Emulation emulation, Arguments arguments, LongUnaryOperator call) {
        super(emulation, arguments, emulation.files);
        this.call = call;
    }

    @Override
    long call() {
        return call.applyAsLong(association().descriptor());
    }
}

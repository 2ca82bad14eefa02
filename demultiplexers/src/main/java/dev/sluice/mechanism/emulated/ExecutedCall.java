package dev.sluice.mechanism.emulated;

import dev.sluice.mechanism.operation.PooledCall;

/** The call that an operation stands for, made by a thread of the pool with what the operation has prepared. */
final class ExecutedCall extends PooledCall {

    private final EmulatedOperation operation;

    ExecutedCall(EmulatedOperation operation) {
        super(operation);
        this.operation = operation;
    }

    @Override
    protected long make() {
        return operation.execution.perform(operation);
    }
}

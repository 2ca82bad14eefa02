package dev.sluice.mechanism.iocp;

import dev.sluice.mechanism.operation.PooledCall;

/** The call that an operation stands for, made by a thread of the pool. */
final class RequestedCall extends PooledCall {

    private final IocpOperation operation;

    RequestedCall(IocpOperation operation) {
        super(operation);
        this.operation = operation;
    }

    @Override
    protected long make() {
        return operation.request.call(operation);
    }
}

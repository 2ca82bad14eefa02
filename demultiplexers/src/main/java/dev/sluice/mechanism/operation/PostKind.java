package dev.sluice.mechanism.operation;

/** Hands a result to a waiting thread. */
final class PostKind extends Kind {

    PostKind() {
        super(Direction.NONE);
    }

    @Override
    void check(PreparedOperation operation) {
        requireNotNegative(operation.resultToPost(), "result");
    }

    @Override
    boolean needsNoCall(PreparedOperation operation) {
        return true;
    }

    @Override
    long resultWithoutCall(PreparedOperation operation) {
        return operation.resultToPost();
    }
}

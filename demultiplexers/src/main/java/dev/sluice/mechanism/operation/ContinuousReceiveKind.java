package dev.sluice.mechanism.operation;

/** Receives into provided buffers. */
final class ContinuousReceiveKind extends Kind {

    ContinuousReceiveKind() {
        super(Direction.INPUT);
    }

    @Override
    void completed(OperationProcessor processor) {
        processor.memory().providedBuffers().passOn();
    }
}

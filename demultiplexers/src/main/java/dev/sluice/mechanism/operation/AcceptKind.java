package dev.sluice.mechanism.operation;

import java.util.Objects;

/** Accepts connections. */
final class AcceptKind extends Kind {

    AcceptKind() {
        super(Direction.INPUT);
    }

    @Override
    void check(PreparedOperation operation) {
        Objects.requireNonNull(operation.acceptor(), "acceptor");
        if (operation.association().handle() != operation.acceptor().handle()) {
            throw new IllegalArgumentException(
                    operation.association() + " is not the association of " + operation.acceptor());
        }
    }
}

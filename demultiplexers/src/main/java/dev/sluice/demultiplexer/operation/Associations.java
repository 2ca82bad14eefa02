package dev.sluice.demultiplexer.operation;

import dev.sluice.failure.Failures;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.spi.Descriptors;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The associations of a processor, one for each handle. May be used by any thread. */
final class Associations {

    private final OperationProcessor processor;
    private final BooleanSupplier isShutDown;
    private final Map<Handle, HandleAssociation> byHandle = new ConcurrentHashMap<>();

    Associations(OperationProcessor processor, BooleanSupplier isShutDown) {
        this.processor = processor;
        this.isShutDown = isShutDown;
    }

    HandleAssociation add(Handle handle) throws IOException {
        StackReserve.requireForCall();
        // Checked first, because the mechanism may not accept a handle twice.
        requireNotAssociated(byHandle.get(handle));
        HandleAssociation association = processor.newAssociation(handle);
        try {
            requireNotAssociated(byHandle.putIfAbsent(handle, association));
            Descriptors.of(handle).addCloseListener(association);
            if (isShutDown.getAsBoolean() && remove(association)) {
                throw new HandleClosedException(processor.toString());
            }
            return association;
        } catch (Throwable e) {
            // Nothing else would release the handle, not even closing it.
            remove(association);
            association.abandon();
            throw e;
        }
    }

    private void requireNotAssociated(@Nullable HandleAssociation association) {
        if (association != null) {
            throw new IllegalStateException(association + " is associated with " + processor + " already");
        }
    }

    /** {@return whether this call has removed the association} */
    boolean remove(HandleAssociation association) {
        return byHandle.remove(association.handle(), association);
    }

    /** Ends all associations, even if ending one of them throws. Called inside. */
    void endAll() {
        Throwable failure = null;
        for (HandleAssociation association : byHandle.values()) {
            try {
                // This also removes the association.
                association.endNow();
                if (processor.overflow != null) {
                    // The list of its operations may be broken.
                    association.release();
                }
            } catch (RuntimeException | Error e) {
                failure = Failures.and(failure, e);
            }
        }
        Failures.throwFirst(failure);
    }
}

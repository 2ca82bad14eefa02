package dev.sluice.campaign.faults;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.CompletionHandler;
import java.io.IOException;

/** A completion handler each of whose operations has an entry in the ledger as its token. */
abstract class Actor implements CompletionHandler {

    private final Ledger ledger;

    Actor(Ledger ledger) {
        this.ledger = ledger;
    }

    /** The start of an operation. */
    interface Start {
        /** Makes it. */
        long with(Ledger.Entry token) throws IOException;
    }

    /** {@return the ticket of an operation that has been entered into the ledger and started} */
    final long start(String what, Start start) throws IOException {
        Ledger.Entry entry = ledger.begin(what);
        try {
            return start.with(entry);
        } catch (Throwable e) {
            entry.refuse();
            throw e;
        }
    }

    final Ledger ledger() {
        return ledger;
    }

    @Override
    public final void handleCompletion(Completion completion) throws Exception {
        if (completion.isLast()) {
            ((Ledger.Entry) completion.token()).end();
        }
        if (completion.error() != null) {
            ledger.failure(completion.error());
        }
        completed(completion);
    }

    /** An operation of this actor's has completed, or goes on. */
    abstract void completed(Completion completion) throws Exception;

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        ledger.failure(cause);
        if (handle != null) {
            handle.close();
        }
    }

    /** Closes a stream, unless it is null. */
    static void close(SocketStream stream) {
        if (stream != null) {
            stream.close();
        }
    }
}

package dev.sluice.files;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.FileHandle;
import dev.sluice.proactor.AsyncFile;
import dev.sluice.proactor.CompletionHandler;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A file that batches read and write on a {@link FileLoop}. It limits how many operations are in flight on the file;
 * further ones wait, in the order in which they were submitted.
 */
public final class LoopFile implements Closeable {

    final FileLoop loop;
    private final FileHandle file;
    private final AsyncFile operations;
    private final int maxInFlight;

    // Used only on the thread of the loop.

    private int inFlight;
    private @Nullable BatchEntry firstWaiting;
    private @Nullable BatchEntry lastWaiting;

    LoopFile(FileLoop loop, FileHandle file, int maxInFlight) throws IOException {
        this.loop = loop;
        this.file = file;
        this.maxInFlight = maxInFlight;
        this.operations = new AsyncFile(loop.proactor, file, new Completions());
    }

    /** {@return the file, for calls that wait} */
    public FileHandle file() {
        return file;
    }

    /** {@return the loop that executes the operations} */
    public FileLoop loop() {
        return loop;
    }

    /** Closes the file. Operations in flight on it complete as cancelled. */
    @Override
    public void close() {
        file.close();
    }

    /** {@return the description of the handle} */
    @Override
    public String toString() {
        return file.toString();
    }

    /** Starts an operation, or lets it wait if there are enough in flight. */
    void start(BatchEntry entry) {
        if (inFlight < maxInFlight && firstWaiting == null) {
            begin(entry);
        } else {
            append(entry);
        }
    }

    private void append(BatchEntry entry) {
        entry.next = null;
        if (lastWaiting == null) {
            firstWaiting = entry;
        } else {
            lastWaiting.next = entry;
        }
        lastWaiting = entry;
    }

    private void begin(BatchEntry entry) {
        inFlight++;
        try {
            entry.begin(operations);
        } catch (RuntimeException | Error e) {
            // The loop or the file is closed, or the buffer's memory is: nothing has been started.
            inFlight--;
            entry.refused(e);
        }
    }

    void cancel(long ticket) {
        operations.cancel(ticket);
    }

    /** Takes an entry that waits out of the line. */
    void removeWaiting(BatchEntry entry) {
        BatchEntry previous = null;
        for (BatchEntry waiting = firstWaiting; waiting != null; waiting = waiting.next) {
            if (waiting == entry) {
                BatchEntry following = waiting.next;
                if (previous == null) {
                    firstWaiting = following;
                } else {
                    previous.next = following;
                }
                if (following == null) {
                    lastWaiting = previous;
                }
                return;
            }
            previous = waiting;
        }
    }

    private void startWaiting() {
        while (inFlight < maxInFlight && firstWaiting != null) {
            BatchEntry entry = firstWaiting;
            firstWaiting = entry.next;
            if (firstWaiting == null) {
                lastWaiting = null;
            }
            begin(entry);
        }
    }

    /** Gets the completions of the file. */
    private final class Completions implements CompletionHandler {

        @Override
        public void handleCompletion(Completion completion) {
            BatchEntry entry = (BatchEntry) completion.token();
            assert entry != null;
            inFlight--;
            boolean isShort = false;
            try {
                isShort = entry.completed(completion);
            } catch (RuntimeException | Error e) {
                // Such as an error for whose message there is no memory: the thread of the batch must not wait forever.
                entry.failed(e);
            }
            if (isShort) {
                // Continued before anything else on the file is started.
                begin(entry);
            }
            startWaiting();
        }
    }
}

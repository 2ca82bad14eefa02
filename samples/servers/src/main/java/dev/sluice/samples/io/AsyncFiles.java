package dev.sluice.samples.io;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.proactor.AsyncFile;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import dev.sluice.samples.web.files.FileEntry;
import java.io.IOException;
import java.util.Map;
import java.util.WeakHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open files of one proactor, and the completion handler that their readers share: a file can be associated with a
 * proactor only once, and many connections read it. On Windows it can be associated with one proactor only, so that
 * connections of other loops read it without completions. For all threads that run it.
 */
final class AsyncFiles implements CompletionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(AsyncFiles.class);

    private final Proactor proactor;
    /**
     * Nothing has to be removed: an association ends when the last user of the entry closes the file, on any thread,
     * and the map's entry goes with the key. The value is null for files that cannot be associated.
     */
    private final Map<FileEntry, AsyncFile> files = new WeakHashMap<>();

    AsyncFiles(Proactor proactor) {
        this.proactor = proactor;
    }

    /**
     * {@return the file of an entry that the caller uses; reads are started with the {@link ProactiveHandler} as token.
     * Null if the system does not tie it to this proactor}
     */
    synchronized AsyncFile of(FileEntry entry) {
        if (!files.containsKey(entry)) {
            files.put(entry, tie(entry));
        }
        return files.get(entry);
    }

    private AsyncFile tie(FileEntry entry) {
        try {
            return new AsyncFile(proactor, entry.file(), this);
        } catch (IOException e) {
            LOG.debug("is read without completions: {}", e.getMessage());
            return null;
        }
    }

    @Override
    public void handleCompletion(Completion completion) {
        // Only the connection fails; the file has other readers.
        ((ProactiveHandler) completion.token()).completeRead(completion);
    }
}

package dev.sluice.samples.io;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.proactor.AsyncFile;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import dev.sluice.samples.web.files.FileEntry;
import java.io.IOException;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The open files as one proactor knows them, and the completion handler that their readers share: a file can be tied to
 * a proactor only once, and many connections read it. For all threads that run it.
 */
final class AsyncFiles implements CompletionHandler {

    private final Proactor proactor;
    /**
     * Nobody has to remove anything: the tie ends when the last user of the entry closes the file, in whichever thread,
     * and what is left of it goes with the entry.
     */
    private final Map<FileEntry, AsyncFile> files = new WeakHashMap<>();

    AsyncFiles(Proactor proactor) {
        this.proactor = proactor;
    }

    /**
     * {@return the file of an entry that the caller uses; reads are started with the {@link ProactiveHandler} as token}
     *
     * @throws IOException if the system refuses
     */
    synchronized AsyncFile of(FileEntry entry) throws IOException {
        AsyncFile file = files.get(entry);
        if (file == null) {
            file = new AsyncFile(proactor, entry.file(), this);
            files.put(entry, file);
        }
        return file;
    }

    @Override
    public void handleRead(Completion completion) {
        // What fails is the connection; the file has other readers.
        ((ProactiveHandler) completion.token()).completeRead(completion);
    }
}

package dev.sluice.stages.io;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.FileHandle;
import dev.sluice.proactor.AsyncFile;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import java.io.IOException;

/** Performs requests by asynchronous operations of a proactor. The token of each is its file. */
final class ProactorPerformer implements FilePerformer, CompletionHandler {

    private final Proactor proactor;

    ProactorPerformer(Proactor proactor) {
        this.proactor = proactor;
    }

    @Override
    public void perform(StagedFile file, FileRequest request) {
        try {
            switch (request.operation()) {
                case OPEN -> proactor.openFile(this, file, file.path(), file.options);
                case READ -> async(file).read(request.bytes(), file.position, file);
                case WRITE -> async(file).write(request.bytes(), file.position, file);
                case SEEK -> file.serving.ended(request.position(), null);
                case STAT -> file.serving.ended(file.handle().size(), null);
                case CLOSE -> async(file).close((Object) file);
            }
        } catch (IOException e) {
            file.serving.ended(0, e);
        }
    }

    private static AsyncFile async(StagedFile file) throws IOException {
        // Throws if the file is not open.
        file.handle();
        AsyncFile async = file.async;
        assert async != null;
        return async;
    }

    @Override
    public void handleCompletion(Completion completion) {
        StagedFile file = (StagedFile) completion.token();
        assert file != null;
        boolean isOpening = completion.type() == OperationType.OPEN;
        IOException cause;
        try {
            cause = completion.error();
            if (cause == null && isOpening) {
                opened(file, completion);
            }
        } catch (IOException e) {
            cause = e;
        } catch (RuntimeException | Error e) {
            // Such as for lack of memory. The request has no other completion, and the next one waits for it.
            file.serving.fail(e);
            return;
        }
        file.serving.ended(isOpening ? 0 : completion.bytesTransferred(), cause);
    }

    private void opened(StagedFile file, Completion completion) throws IOException {
        FileHandle handle = completion.file();
        assert handle != null;
        try {
            file.async = new AsyncFile(proactor, handle, this);
            file.setHandle(handle);
        } catch (Throwable e) {
            handle.close();
            throw e;
        }
    }

    @Override
    public String toString() {
        return "files on " + proactor;
    }
}

package dev.sluice.stages.io;

import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Performs requests by calls that wait for the disk, in the thread of the stage, as in the paper. */
final class BlockingPerformer implements FilePerformer {

    @Override
    public void perform(StagedFile file, FileRequest request) {
        long result = 0;
        @Nullable IOException cause = null;
        try {
            result = result(file, request);
        } catch (IOException e) {
            cause = e;
        }
        file.serving.ended(result, cause);
    }

    private static long result(StagedFile file, FileRequest request) throws IOException {
        return switch (request.operation()) {
            case OPEN -> {
                file.setHandle(FileHandle.open(file.path(), file.options));
                yield 0;
            }
            case READ -> file.handle().read(request.bytes(), file.position);
            case WRITE -> write(file, request.bytes());
            case SEEK -> request.position();
            case STAT -> file.handle().size();
            case CLOSE -> {
                file.handle();
                file.closeHandle();
                yield 0;
            }
        };
    }

    private static long write(StagedFile file, ByteBuffer buffer) throws IOException {
        int count = buffer.remaining();
        file.handle().writeFully(buffer, file.position);
        return count;
    }
}

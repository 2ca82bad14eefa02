package dev.sluice.samples.web.protocol;

import dev.sluice.calls.Errno;
import dev.sluice.handle.SystemCallException;
import dev.sluice.samples.web.files.CachedFileSystem;
import dev.sluice.samples.web.files.FileStamp;
import dev.sluice.samples.web.files.Upload;
import dev.sluice.samples.web.files.WritableDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces files (RFC 9110 section 9.3.4): the content goes to a file beside the old one, is forced to the disk, and
 * takes its name when it is complete. All of that waits for the disk.
 */
public final class PutHandler implements RequestHandler, ContentSinks {

    private static final Logger LOG = LoggerFactory.getLogger(PutHandler.class);

    /** Octets of content that are written together. */
    private static final int AT_ONCE = 64 * 1024;

    private final WritableDirectory directory;
    private final CachedFileSystem files;
    private final HttpClock clock;
    private final long limit;
    private final long droppedLimit;

    /**
     * Creates a handler.
     *
     * @param directory    within which files may be replaced
     * @param files        notified of replaced files
     * @param clock        the clock
     * @param limit        octets of a file at most
     * @param droppedLimit octets to read of what is refused, so that the connection can go on
     */
    public PutHandler(WritableDirectory directory, CachedFileSystem files, HttpClock clock, long limit,
                      long droppedLimit) {
        this.directory = directory;
        this.files = files;
        this.clock = clock;
        this.limit = limit;
        this.droppedLimit = droppedLimit;
    }

    /** Whether a path may be replaced, if nothing else is wrong with it. */
    boolean allows(String path) {
        return directory.contains(path);
    }

    @Override
    public ContentSink open(Request request) {
        return request.method() == Method.PUT ? new Content(request) : null;
    }

    @Override
    public void handle(Request request, Reply reply) {
        Content content = (Content) request.sink();
        if (content.refusal == null) {
            content.finish(reply);
        }
        if (content.refusal != null) {
            content.close();
            reply.answer(content.refusal);
        }
    }

    private static Status statusOf(IOException problem) {
        Errno error = problem instanceof SystemCallException call ? Errno.valueOf(call.errorName()) : null;
        if (error == Errno.ENOSPC || error == Errno.EDQUOT || error == Errno.EFBIG) {
            return Status.INSUFFICIENT_STORAGE;
        }
        if (error == Errno.EACCES || error == Errno.EPERM || error == Errno.EROFS
                || problem instanceof AccessDeniedException) {
            return Status.FORBIDDEN;
        }
        return error == Errno.ENOENT || error == Errno.ENOTDIR || error == Errno.ENAMETOOLONG
                || problem instanceof NoSuchFileException ? Status.CONFLICT : Status.SERVICE_UNAVAILABLE;
    }

    /** The content of one request on its way to the disk. */
    private final class Content implements ContentSink {

        private final String path;
        private final Request request;
        private Upload upload;
        private Status refusal;
        private boolean isOpen;
        /** What has not been written; null before the first octets. */
        private ByteBuffer waiting;

        Content(Request request) {
            this.request = request;
            path = request.hasPath() ? request.path() : null;
            refusal = examine();
        }

        private Status examine() {
            if (path == null) {
                return Status.BAD_REQUEST;
            }
            if (!directory.contains(path)) {
                return Status.METHOD_NOT_ALLOWED;
            }
            if (request.count("content-range") > 0) {
                // RFC 9110 section 14.5: the part would be taken for the whole.
                return Status.BAD_REQUEST;
            }
            if (request.count("content-encoding") > 0) {
                // Section 8.4: the file would be sent without it.
                return Status.UNSUPPORTED_MEDIA_TYPE;
            }
            if (request.count("content-length") + request.count("transfer-encoding") == 0) {
                // Nothing, or a client that forgot to say how much it sends.
                return Status.LENGTH_REQUIRED;
            }
            return null;
        }

        private void open() throws IOException {
            isOpen = true;
            upload = directory.upload(path);
            refusal = upload == null ? Status.CONFLICT : condition();
            if (refusal == null) {
                upload.begin();
            } else {
                close();
            }
        }

        private Status condition() throws IOException {
            FileStamp current = upload.current();
            if (current != null && current.kind() != FileStamp.Kind.REGULAR) {
                return Status.CONFLICT;
            }
            return Preconditions.permitChange(request, current == null ? null : current.tag(),
                    current == null ? 0 : current.modifiedSecond(), clock.seconds())
                    ? null : Status.PRECONDITION_FAILED;
        }

        private void fail(IOException problem) {
            refusal = statusOf(problem);
            LOG.warn("PUT {}: {}", TargetPath.encode(path), problem.toString());
            // Here, as the connection closes it in a thread that must not wait.
            close();
        }

        @Override
        public Status refusal() {
            return refusal;
        }

        @Override
        public long limit() {
            return refusal == null ? limit : droppedLimit;
        }

        @Override
        public Status write(ByteBuffer octets) {
            if (waiting == null) {
                waiting = ByteBuffer.allocate(AT_ONCE);
            }
            int end = octets.limit();
            waiting.put(octets.limit(octets.position() + Math.min(octets.remaining(), waiting.remaining())));
            octets.limit(end);
            return refusal;
        }

        @Override
        public boolean isWaiting() {
            return refusal == null && (!isOpen || waiting != null && !waiting.hasRemaining());
        }

        @Override
        public void store() {
            try {
                if (isOpen) {
                    writeWaiting();
                } else {
                    open();
                }
            } catch (IOException e) {
                fail(e);
            } catch (RuntimeException | Error e) {
                // How much has been written is unknown.
                refusal = Status.SERVICE_UNAVAILABLE;
                close();
                throw e;
            }
        }

        @Override
        public void refuse(Status why) {
            refusal = why;
            // It may not be used again, for example if the server stops.
            close();
        }

        private void writeWaiting() throws IOException {
            if (waiting != null) {
                upload.write(waiting.flip());
                waiting.clear();
            }
        }

        private void finish(Reply reply) {
            try {
                writeWaiting();
                upload.force();
                // Of several that were begun on the same version only one may find its condition met.
                synchronized (directory.lock()) {
                    refusal = condition();
                    if (refusal != null) {
                        return;
                    }
                    reply.answer(upload.replace() ? Status.NO_CONTENT : Status.CREATED);
                }
                reply.field("ETag", upload.stamp().tag());
            } catch (IOException e) {
                fail(e);
            } finally {
                close();
                files.forget(path);
            }
        }

        @Override
        public void close() {
            Upload begun = upload;
            upload = null;
            if (begun != null) {
                begun.close();
            }
        }
    }
}

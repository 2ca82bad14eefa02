package dev.sluice.samples.web.protocol;

import dev.sluice.samples.web.files.CachedFileSystem;
import dev.sluice.samples.web.files.FileEntry;
import dev.sluice.samples.web.files.NoFile;
import dev.sluice.samples.web.files.Resource;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers requests with whole files. What the cache cannot serve waits for the file system. */
public final class FileHandler implements RequestHandler {

    private static final Logger LOG = LoggerFactory.getLogger(FileHandler.class);

    private final CachedFileSystem files;
    private final boolean lists;

    /**
     * Creates a handler.
     *
     * @param files the files
     * @param lists whether to show what is in a directory without an index page
     */
    public FileHandler(CachedFileSystem files, boolean lists) {
        this.files = files;
        this.lists = lists;
    }

    @Override
    public void handle(Request request, Reply reply) {
        Resource found;
        try {
            found = find(request);
        } catch (IOException e) {
            LOG.warn("{}: {}", request.path(), e.toString());
            reply.answer(Status.SERVICE_UNAVAILABLE);
            return;
        }
        answer(request, found, reply);
    }

    @Override
    public boolean mayWait(Request request) {
        String path = request.path();
        return path != null && files.mayWait(path, request.count("accept-encoding") > 0);
    }

    private Resource find(Request request) throws IOException {
        String path = request.path();
        return path == null ? NoFile.ABSENT : files.lookup(path);
    }

    private void answer(Request request, Resource found, Reply reply) {
        String path = request.path();
        if (found instanceof FileEntry file) {
            reply.answer(file);
        } else if (found == NoFile.WITHOUT_INDEX && lists) {
            list(path, reply);
        } else if (found == NoFile.DIRECTORY) {
            reply.answer(Status.MOVED_PERMANENTLY);
            // Made from the normalised path: "//host/dir" as it came would lead to another server.
            reply.field("Location", TargetPath.encode(path) + "/" + request.query());
        } else {
            reply.answer(path == null ? Status.BAD_REQUEST : Status.NOT_FOUND);
        }
    }

    private void list(String path, Reply reply) {
        try {
            reply.answer(DirectoryListing.TYPE, DirectoryListing.of(path, files.list(path)));
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warn("{}: {}", path, e.toString());
            reply.answer(Status.SERVICE_UNAVAILABLE);
        }
    }
}

package dev.sluice.samples.web.protocol;

import dev.sluice.samples.web.files.CachedFileSystem;
import dev.sluice.samples.web.files.ContentCoding;
import dev.sluice.samples.web.files.FileEntry;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a file in the coding that the client likes best (RFC 9110 sections 8.4 and 12.5.3). That is another
 * representation with an entity tag of its own, so this goes before conditions and ranges, which are about what is
 * selected here.
 */
public final class ContentCodings implements Filter {

    private static final Logger LOG = LoggerFactory.getLogger(ContentCodings.class);
    private static final ContentCoding[] ALL = ContentCoding.values();

    private final CachedFileSystem files;

    /**
     * Creates the filter.
     *
     * @param files the files
     */
    public ContentCodings(CachedFileSystem files) {
        this.files = files;
    }

    @Override
    public boolean isSelection() {
        return true;
    }

    @Override
    public void apply(Request request, Reply reply) {
        if (!reply.isFile()) {
            return;
        }
        String value = request.field("accept-encoding");
        AcceptEncoding accepted = value == null ? null : AcceptEncoding.read(value);
        if (reply.entry().isCompressible()) {
            reply.field("Vary", "Accept-Encoding");
            if (accepted != null && select(accepted, reply)) {
                return;
            }
        }
        if (accepted != null && accepted.plainWeight() == 0) {
            reply.answer(Status.NOT_ACCEPTABLE);
            reply.field("Vary", "Accept-Encoding");
        }
    }

    /**
     * Tells requests apart that may get different codings of a file, and no others.
     *
     * @param request a request
     * @return the same number for all that get the same, -1 for those that say nothing
     */
    public static int preference(Request request) {
        String value = request.field("accept-encoding");
        AcceptEncoding accepted = value == null ? null : AcceptEncoding.read(value);
        return accepted == null ? -1 : accepted.preference();
    }

    /** Takes the most welcome of the codings that the file is there in; returns whether that is not the plain one. */
    private boolean select(AcceptEncoding accepted, Reply reply) {
        int best = accepted.plainWeight();
        FileEntry selected = null;
        ContentCoding selectedCoding = null;
        for (ContentCoding coding : ALL) {
            // Between equals, the plain one is larger, and the first one smaller.
            int weight = accepted.weight(coding);
            boolean better = weight > 0 && (selected == null ? weight >= best : weight > best);
            FileEntry coded = better ? find(reply.entry(), coding) : null;
            if (coded != null) {
                if (selected != null) {
                    selected.release();
                }
                best = weight;
                selected = coded;
                selectedCoding = coding;
            }
        }
        if (selected != null) {
            reply.select(selected);
            reply.field("Content-Encoding", selectedCoding.token());
        }
        return selected != null;
    }

    private FileEntry find(FileEntry plain, ContentCoding coding) {
        try {
            return files.coded(plain, coding);
        } catch (IOException e) {
            LOG.warn("{} in {}: {}", plain.name(), coding.token(), e.toString());
            return null;
        }
    }
}

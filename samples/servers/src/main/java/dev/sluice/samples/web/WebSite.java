package dev.sluice.samples.web;

import dev.sluice.samples.web.files.CachedFileSystem;
import dev.sluice.samples.web.files.DocumentRoot;
import dev.sluice.samples.web.protocol.HttpClock;
import dev.sluice.samples.web.protocol.Limits;
import java.io.Closeable;
import java.io.IOException;

/**
 * What is served, as long as it is open.
 *
 * @param documents the directory
 * @param files     what is below it
 * @param clock     what time it is
 * @param limits    how much a client may send
 * @param owned     what else there is to close
 */
record WebSite(DocumentRoot documents, CachedFileSystem files, HttpClock clock, Limits limits, Closeable owned)
        implements Closeable {

    @Override
    public void close() throws IOException {
        files.close();
        owned.close();
    }
}

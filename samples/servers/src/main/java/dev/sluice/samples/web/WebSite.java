package dev.sluice.samples.web;

import dev.sluice.samples.web.files.CachedFileSystem;
import dev.sluice.samples.web.files.DocumentRoot;
import dev.sluice.samples.web.protocol.HttpClock;
import dev.sluice.samples.web.protocol.Limits;
import java.io.Closeable;
import java.io.IOException;

/**
 * An open site.
 *
 * @param documents the directory
 * @param files     what is below it
 * @param clock     the clock
 * @param limits    the limits on requests
 * @param owned     further resources to close
 */
record WebSite(DocumentRoot documents, CachedFileSystem files, HttpClock clock, Limits limits, Closeable owned)
        implements Closeable {

    @Override
    public void close() throws IOException {
        files.close();
        owned.close();
    }
}

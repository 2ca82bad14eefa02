package dev.sluice.samples.gopher;

import dev.sluice.samples.io.AccessLog;
import dev.sluice.samples.io.FileThreads;
import dev.sluice.samples.io.FileTraffic;
import dev.sluice.samples.io.Protocol;
import dev.sluice.samples.io.Timeouts;
import dev.sluice.samples.io.TransferFilters;
import dev.sluice.samples.web.files.CachedFileSystem;

/**
 * Gopher, and what its connections share.
 *
 * @param files        to serve
 * @param threads      find files where connections have no threads of their own
 * @param host         of the server in menus; null for the address that the client has connected to
 * @param maxSelector the longest selector, in octets
 * @param timeouts     the timeouts for a client
 * @param traffic      says how files travel to it
 * @param filters      the filters of the output
 */
record GopherProtocol(CachedFileSystem files, FileThreads threads, String host, int maxSelector, Timeouts timeouts,
        FileTraffic traffic, TransferFilters filters) implements Protocol {

    @Override
    public String name() {
        return "gopher";
    }

    @Override
    public byte[] refusal() {
        return Menu.error("Too many connections: try again later");
    }

    @Override
    public ProtocolHandlers handlers(AccessLog.Lines log) {
        return (peer, client) -> new GopherHandler(this, peer, log, client);
    }
}

package dev.sluice.samples.haboob;

import dev.sluice.samples.web.Exchange;

/** A request for a page: what PageCache and CacheMiss pass to each other. */
final class PageRequest implements PageCacheEvent {

    private final Exchange exchange;
    private final PageKey key;
    /** Whether it reads for itself alone, and no other request reads for it. */
    private boolean alone;
    /** Number of files that had been replaced before it read. */
    private long replacements;
    /** A page that is to be compared with the file, of whose memory this is a user; null if there is none. */
    private Page checked;
    /** How long the page is that was found when this was put in order, or -1. */
    private long length;

    /** A request for the page of a key. */
    PageRequest(Exchange exchange, PageKey key) {
        this.exchange = exchange;
        this.key = key;
    }

    Exchange exchange() {
        return exchange;
    }

    PageKey key() {
        return key;
    }

    boolean isAlone() {
        return alone;
    }

    void setAlone() {
        alone = true;
    }

    long replacements() {
        return replacements;
    }

    void setReplacements(long count) {
        replacements = count;
    }

    Page checked() {
        return checked;
    }

    void setChecked(Page page) {
        checked = page;
    }

    /** Leaves the memory of a page that was to be compared. */
    void releaseChecked() {
        if (checked != null) {
            checked.memory().release();
            checked = null;
        }
    }

    long length() {
        return length;
    }

    void setLength(long octets) {
        length = octets;
    }

    @Override
    public String toString() {
        return "request for " + exchange.request().path();
    }
}

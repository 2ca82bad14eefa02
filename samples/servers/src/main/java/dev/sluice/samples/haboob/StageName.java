package dev.sluice.samples.haboob;

/** The names of the stages, as in the paper's figure 5, which has no uploads. */
final class StageName {

    static final String HTTP_PARSE = "HttpParse";
    static final String HTTP_RECV = "HttpRecv";
    static final String PAGE_CACHE = "PageCache";
    static final String CACHE_MISS = "CacheMiss";
    static final String UPLOADS = "Uploads";
    static final String FILE_IO = "file I/O";
    static final String HTTP_SEND = "HttpSend";
    static final String BOTTLENECK = "Bottleneck";
    static final String DYNAMIC_PAGES = "DynamicPages";
    /** Followed by {@code -listen}, {@code -read} and {@code -write}. */
    static final String SOCKETS = "socket";

    private StageName() {
    }
}

package dev.sluice.samples.haboob;

import dev.sluice.samples.io.CountedMemory;
import dev.sluice.samples.web.Exchange;
import dev.sluice.samples.web.protocol.Method;
import dev.sluice.samples.web.protocol.Reply;
import dev.sluice.samples.web.protocol.Representation;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.io.FileCompletion;
import dev.sluice.stages.io.FileStage;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paper's CacheMiss: finds files, which may have to wait for the disk, and has the file I/O stage read them into
 * the memory of the page cache. Its events are requests for pages, and completions of reads.
 *
 * <p>Requests for other things than files are answered here, as well as empty files, HEAD requests, and a file that is
 * too large for the cache, which is sent in pieces through a little of its memory.
 */
final class CacheMiss implements StageHandler<Object> {

    private static final Logger LOG = LoggerFactory.getLogger(CacheMiss.class);
    /** What a file takes of the page cache's memory while it is sent without being kept, in bytes. */
    private static final int PIECE = 64 * 1024;

    private final Pages pages;
    private final FileStage files;
    private EventQueue<Object> own;
    private EventQueue<PageCacheEvent> cache;
    private Answers answers;

    CacheMiss(Pages pages, FileStage files) {
        this.pages = pages;
        this.files = files;
    }

    @Override
    public void handleStart(StageContext context) {
        own = context.queue(StageName.CACHE_MISS, Object.class);
        cache = context.queue(StageName.PAGE_CACHE, PageCacheEvent.class);
        answers = Answers.of(context, pages);
    }

    @Override
    public void handleEvents(EventBatch<Object> batch) {
        for (Object event = batch.next(); event != null; event = batch.next()) {
            if (event instanceof PageRequest request) {
                find(request);
            } else if (((FileCompletion) event).token() instanceof PageReading reading
                    && reading.ended((FileCompletion) event)) {
                read(reading);
            }
        }
    }

    private void find(PageRequest request) {
        Exchange exchange = request.exchange();
        Reply reply = exchange.reply();
        exchange.pipeline().find(exchange.request(), reply);
        Representation found = reply.isFile() ? reply.representation() : null;
        if (request.checked() != null) {
            check(request, found);
        } else if (found == null || found.size() == 0 || exchange.request().method() == Method.HEAD) {
            answer(request);
        } else if (!pages.fits(found.size())) {
            stream(request);
        } else {
            read(request, found);
        }
    }

    /** Serves the cached page if it is as the file is now, and reads the file again otherwise. */
    private void check(PageRequest request, Representation found) {
        Page page = request.checked();
        request.setChecked(null);
        Exchange exchange = request.exchange();
        exchange.reply().close();
        if (found != null && page.isOf(found)) {
            page.answer(exchange.reply());
            answers.send(exchange);
            return;
        }
        pages.drop(page);
        page.memory().release();
        if (cache.enqueue(request) != EnqueueResult.ACCEPTED) {
            answers.busy(exchange);
        }
    }

    /** Answers the request without a page for others, and notifies the requests that wait for one. */
    private void answer(PageRequest request) {
        answers.send(request.exchange());
        notifyWaiting(request);
    }

    private void notifyWaiting(PageRequest request) {
        if (!request.isAlone()) {
            cache.enqueue(new PageRead(request, null));
        }
    }

    private void stream(PageRequest request) {
        CountedMemory memory = pages.take(PIECE);
        if (memory == null) {
            refuse(request);
        } else {
            request.exchange().reply().readInto(memory);
            answer(request);
        }
    }

    private void refuse(PageRequest request) {
        request.releaseChecked();
        answers.busy(request.exchange());
        notifyWaiting(request);
    }

    private void read(PageRequest request, Representation found) {
        CountedMemory memory = pages.take(found.size());
        if (memory == null) {
            refuse(request);
            return;
        }
        try {
            PageReading reading = new PageReading(request, new Page(request.key(), found, memory), found.file());
            reading.begin(files, own);
        } catch (IOException e) {
            LOG.warn("{}", e.toString());
            memory.release();
            refuse(request);
        }
    }

    /** All that was asked for has been read. */
    private void read(PageReading reading) {
        PageRequest request = reading.request();
        try {
            if (!reading.isComplete()) {
                reading.proceed();
                return;
            }
        } catch (IOException e) {
            LOG.warn("{}: {}", request.key().path(), e.toString());
            reading.end();
            reading.page().memory().release();
            answers.failed(request.exchange());
            notifyWaiting(request);
            return;
        }
        reading.end();
        if (cache.enqueue(new PageRead(request, reading.page())) != EnqueueResult.ACCEPTED) {
            reading.page().memory().release();
            answers.busy(request.exchange());
        }
    }

    @Override
    public void handleFailure(Object event, Throwable cause) {
        LOG.warn("{} has failed", this, cause);
        if (event instanceof PageRequest request) {
            request.releaseChecked();
            answers.failed(request.exchange());
            notifyWaiting(request);
        }
    }

    @Override
    public void handleDiscarded(Object event) {
        if (event instanceof PageRequest request) {
            refuse(request);
        }
    }

    @Override
    public String toString() {
        return StageName.CACHE_MISS;
    }
}

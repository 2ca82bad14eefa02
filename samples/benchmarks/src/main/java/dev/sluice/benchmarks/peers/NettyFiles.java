package dev.sluice.benchmarks.peers;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;

/**
 * An HTTP server for the files of one directory on Netty. It keeps files open and looks once a second whether they have
 * changed, as the other web servers do; small ones are copied behind the head, large ones go from file to socket.
 */
public final class NettyFiles {

    private static final int SMALL = 16 * 1024;
    private static final long LOOK_AGAIN = Duration.ofSeconds(1).toNanos();

    private final Path root;
    private final Map<String, OpenFile> files = new HashMap<>();
    private String date;
    private long dated;

    private NettyFiles(Path root) {
        this.root = root;
    }

    /**
     * Serves until the process ends.
     *
     * @param arguments the name of a {@link NettyTransport}, and the directory
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] arguments) throws InterruptedException {
        NettyFiles server = new NettyFiles(Path.of(arguments[1]));
        NettyTransport.valueOf(arguments[0]).serve("netty", new ChannelInitializer<SocketChannel>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                channel.pipeline().addLast(new HttpServerCodec(), server.new Handler());
            }
        });
    }

    private record OpenFile(FileChannel channel, long size, long modified, long looked) {
    }

    // All connections have one event loop, which is the only one to call these.

    private OpenFile open(String target) throws IOException {
        OpenFile file = files.get(target);
        long now = System.nanoTime();
        if (file != null && now - file.looked < LOOK_AGAIN) {
            return file;
        }
        Path path = root.resolve(target.substring(1)).normalize();
        if (!path.startsWith(root) || !Files.isRegularFile(path)) {
            throw new NoSuchFileException(target);
        }
        long modified = Files.getLastModifiedTime(path).toMillis();
        if (file != null && file.modified != modified) {
            file.channel.close();
            file = null;
        }
        FileChannel channel = file != null ? file.channel : FileChannel.open(path);
        OpenFile fresh = new OpenFile(channel, channel.size(), modified, now);
        files.put(target, fresh);
        return fresh;
    }

    private String date() {
        long now = System.nanoTime();
        if (date == null || now - dated > LOOK_AGAIN) {
            date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
            dated = now;
        }
        return date;
    }

    private final class Handler extends SimpleChannelInboundHandler<HttpObject> {

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject message) throws IOException {
            if (message instanceof HttpRequest request) {
                ChannelFuture sent = reply(context, request);
                if (!HttpUtil.isKeepAlive(request)) {
                    sent.addListener(ChannelFutureListener.CLOSE);
                }
            }
        }

        private ChannelFuture reply(ChannelHandlerContext context, HttpRequest request) throws IOException {
            if (!request.method().equals(HttpMethod.GET)) {
                return refuse(context, request, HttpResponseStatus.METHOD_NOT_ALLOWED);
            }
            OpenFile file;
            try {
                file = open(request.uri());
            } catch (NoSuchFileException e) {
                return refuse(context, request, HttpResponseStatus.NOT_FOUND);
            }
            if (file.size <= SMALL) {
                int size = (int) file.size;
                ByteBuf content = context.alloc().directBuffer(size);
                content.writeBytes(file.channel, 0, size);
                return context.write(describe(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1,
                        HttpResponseStatus.OK, content), request, file.size));
            }
            context.write(describe(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK), request,
                    file.size), context.voidPromise());
            context.write(new DefaultFileRegion(file.channel, 0, file.size) {
                @Override
                protected void deallocate() {
                    // The file stays open for the next request.
                }
            }, context.voidPromise());
            return context.write(LastHttpContent.EMPTY_LAST_CONTENT);
        }

        private ChannelFuture refuse(ChannelHandlerContext context, HttpRequest request, HttpResponseStatus status) {
            return context.write(describe(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status,
                    context.alloc().buffer(0)), request, 0));
        }

        private HttpResponse describe(HttpResponse response, HttpRequest request, long size) {
            response.headers().set(HttpHeaderNames.DATE, date())
                    .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_OCTET_STREAM)
                    .set(HttpHeaderNames.CONTENT_LENGTH, size);
            if (!HttpUtil.isKeepAlive(request)) {
                response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
            return response;
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            cause.printStackTrace();
            context.close();
        }
    }
}

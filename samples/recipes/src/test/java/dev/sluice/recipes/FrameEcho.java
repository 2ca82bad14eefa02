package dev.sluice.recipes;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A server that sends each frame back, except those whose text begins with an exclamation mark. */
public final class FrameEcho {

    private FrameEcho() {
    }

    public static void main(String[] args) throws IOException {
        try (ServerSocket server = new ServerSocket(Integer.parseInt(args[0]), 10, InetAddress.getLoopbackAddress())) {
            while (true) {
                Socket socket = server.accept();
                new Thread(() -> serve(socket)).start();
            }
        }
    }

    private static void serve(Socket socket) {
        try (socket; DataInputStream in = new DataInputStream(socket.getInputStream());
                DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
            while (true) {
                byte[] frame = new byte[in.readInt()];
                in.readFully(frame);
                if (frame[4] != '!') {
                    out.writeInt(frame.length);
                    out.write(frame);
                }
            }
        } catch (EOFException e) {
            return;
        } catch (IOException e) {
            e.printStackTrace();
        }
    }
}

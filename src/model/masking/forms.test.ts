import { describe, expect, it } from 'vitest';
import { createMasker } from './masker.ts';
/** Made up; a name, the part that must not be left, and where it appears. */
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const FORMS: readonly (readonly [name: string, secret: string, text: string])[] = [
  ['har cookie own name', '8f3kd92kfjs01x', '{"cookies":[{"name":"sessionKey","value":"8f3kd92kfjs01x"}]}'],
  [
    'har cookie own name2',
    '8f3kd92kfjs01x',
    '{"request":{"cookies":[{"name":"__cf_bm","value":"8f3kd92kfjs01x","path":"/"}]}}',
  ],
  ['har cookie header', 'sid=8f3kd92kfj', '{"headers":[{"name":"Cookie","value":"sid=8f3kd92kfj; a=b"}]}'],
  ['set-cookie resp', '8f3kd92kfj', '{"name":"Set-Cookie","value":"sid=8f3kd92kfj; Path=/; HttpOnly"}'],
  ['tilde home', 'janedoe', 'cat ~janedoe/.ssh/id_rsa'],
  ['tilde home2', 'janedoe', 'cd ~janedoe/project'],
  ['netrc', 'hunter2pass9', 'machine api.github.com login janedoe password hunter2pass9'],
  ['netrc multi', 'S3cretPw99', 'machine host.example.com\n  login jane\n  password S3cretPw99\n'],
  ['netrc letters', 'correcthorse', 'machine h.example.com login jane password correcthorse'],
  ['netrc login', 'janedoe42', 'machine api.github.com login janedoe42 password hunter2pass9'],
  [
    'discord bot',
    'MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs',
    'token is MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs ok',
  ],
  [
    'discord mfa',
    'mfa.VkO_2G4Qv3T--NO--lWetW_tjND--TOKEN--QFTm6YGtzq9PH--4U--tG0abcdef12345',
    'x mfa.VkO_2G4Qv3T--NO--lWetW_tjND--TOKEN--QFTm6YGtzq9PH--4U--tG0abcdef12345',
  ],
  [
    'discord webhook',
    '1234567890/abcDEF-ghi_JKL012345678901234567890123456789012345678901234567',
    'https://discord.com/api/webhooks/1234567890/abcDEF-ghi_JKL012345678901234567890123456789012345678901234567',
  ],
  [
    'user outside path ls',
    'janedoe',
    '{"cwd":"/home/janedoe/p","out":"-rw-r--r-- 1 janedoe staff 120 Nov 1 10:00 a.txt"}',
  ],
  ['user outside path whoami', 'janedoe', '{"cwd":"/Users/janedoe/p","out":"whoami\\njanedoe"}'],
  ['anthropic', 'sk-ant-api03-abcDEF_1234567890-xyzAA', 'sk-ant-api03-abcDEF_1234567890-xyzAA'],
  [
    'anthropic oauth',
    'sk-ant-oat01-abcDEF_1234567890-xyzAA',
    'CLAUDE_CODE_OAUTH_TOKEN=sk-ant-oat01-abcDEF_1234567890-xyzAA',
  ],
  ['openai proj', 'sk-proj-abcDEF1234567890_xyz-AA', 'k=sk-proj-abcDEF1234567890_xyz-AA'],
  ['openai sess', 'sess-abcDEF1234567890xyzAAbbcc', 'sess-abcDEF1234567890xyzAAbbcc'],
  ['groq', 'gsk_abcDEF1234567890xyzAAbbcc', 'gsk_abcDEF1234567890xyzAAbbcc'],
  ['hf', 'hf_abcDEFghIJKlmnOPqrsTUVwx', 'hf_abcDEFghIJKlmnOPqrsTUVwx'],
  ['google', 'AIzaSyA1234567890abcdefghijklmnopqrstu_v', 'AIzaSyA1234567890abcdefghijklmnopqrstu_v'],
  ['google oauth', 'GOCSPX-abcDEF1234567890xyzAAbbcc', 'GOCSPX-abcDEF1234567890xyzAAbbcc'],
  [
    'gcp refresh',
    '1//0gabcDEF1234567890xyzAAbbccddeeffgghhiijj',
    'refresh 1//0gabcDEF1234567890xyzAAbbccddeeffgghhiijj',
  ],
  [
    'gcp sa private',
    'MIIEvQIBADANBgkqhkiG',
    '{"private_key":"-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG\\n-----END PRIVATE KEY-----\\n"}',
  ],
  [
    'gcp sa key id',
    '0123456789abcdef0123456789abcdef01234567',
    '{"private_key_id":"0123456789abcdef0123456789abcdef01234567"}',
  ],
  [
    'gcp client email',
    'svc-x@my-proj.iam.gserviceaccount.com',
    '{"client_email":"svc-x@my-proj.iam.gserviceaccount.com"}',
  ],
  ['aws akia', 'AKIAABCDEFGHIJKLMNOP', 'AKIAABCDEFGHIJKLMNOP'],
  [
    'aws secret',
    'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  ],
  [
    'aws session token',
    'IQoJb3JpZ2luX2VjEJr//////////wEaCXVz',
    'AWS_SESSION_TOKEN=IQoJb3JpZ2luX2VjEJr//////////wEaCXVz',
  ],
  [
    'aws presigned sig',
    '3f2b0d9c8a7e6f5d4c3b2a1908f7e6d5c4b3a2918f7e6d5c4b3a29180f1e2d3c',
    'https://b.s3.amazonaws.com/k?X-Amz-Signature=3f2b0d9c8a7e6f5d4c3b2a1908f7e6d5c4b3a2918f7e6d5c4b3a29180f1e2d3c&X-Amz-Date=1',
  ],
  ['bedrock key', 'ABSKQmVkcm9ja0FQSUtleS1hYmNkMTIzNDU2Nzg5MA', 'use ABSKQmVkcm9ja0FQSUtleS1hYmNkMTIzNDU2Nzg5MA'],
  [
    'azure sas',
    'abcDEF123%2Bxyz%2F456%3D',
    'https://a.blob.core.windows.net/c/b?sv=2022-11-02&sp=r&sig=abcDEF123%2Bxyz%2F456%3D&se=2026',
  ],
  [
    'azure conn',
    'abcdEFGH1234567890+/abcdEFGH1234567890+/abcdEFGH1234567890+/abcdEFGH1234567890+/abcd==',
    'DefaultEndpointsProtocol=https;AccountName=x;AccountKey=abcdEFGH1234567890+/abcdEFGH1234567890+/abcdEFGH1234567890+/abcdEFGH1234567890+/abcd==;EndpointSuffix=core.windows.net',
  ],
  [
    'azure openai key hdr',
    '0123456789abcdef0123456789abcdef',
    '{"name":"api-key","value":"0123456789abcdef0123456789abcdef"}',
  ],
  [
    'azure ad secret',
    'abc8Q~dEfGhIjKlMnOpQrStUvWxYz0123456789ab',
    'AZURE_CLIENT_SECRET=abc8Q~dEfGhIjKlMnOpQrStUvWxYz0123456789ab',
  ],
  [
    'azure ad secret bare',
    'abc8Q~dEfGhIjKlMnOpQrStUvWxYz01234567-_x',
    'secret abc8Q~dEfGhIjKlMnOpQrStUvWxYz01234567-_x',
  ],
  ['slack bot', 'xoxb-1234567890-abcdefGHIJ', 'xoxb-1234567890-abcdefGHIJ'],
  ['slack webhook', 'T000AAA/B000BBB/XXXXyyyy1234', 'https://hooks.slack.com/services/T000AAA/B000BBB/XXXXyyyy1234'],
  ['github fine', 'github_pat_11ABCDEFG0abcdefghij_klmnop', 'github_pat_11ABCDEFG0abcdefghij_klmnop'],
  ['gitlab', 'glpat-abcDEF1234567890xyzA', 'glpat-abcDEF1234567890xyzA'],
  ['gitlab deploy', 'gldt-abcDEF1234567890xyzA', 'gldt-abcDEF1234567890xyzA'],
  ['gitlab runner', 'glrt-abcDEF1234567890xyzA', 'glrt-abcDEF1234567890xyzA'],
  ['gitlab ci job', 'glcbt-64_abcDEF1234567890xyzA', 'glcbt-64_abcDEF1234567890xyzA'],
  ['npm', 'npm_abcDEF1234567890abcDEF1234567890abcd', 'npm_abcDEF1234567890abcDEF1234567890abcd'],
  ['pypi', 'pypi-AgEIcHlwaS5vcmcCJDEyMzQ1Njc4', 'pypi-AgEIcHlwaS5vcmcCJDEyMzQ1Njc4'],
  ['stripe', 'sk_live_abcDEF1234567890', 'sk_live_abcDEF1234567890'],
  ['stripe whsec', 'whsec_abcDEF1234567890xyz', 'whsec_abcDEF1234567890xyz'],
  ['twilio', 'SK0123456789abcdef0123456789abcdef', 'SK0123456789abcdef0123456789abcdef'],
  ['twilio sid', 'AC0123456789abcdef0123456789abcdef', 'AC0123456789abcdef0123456789abcdef'],
  ['sendgrid', 'SG.abcDEF1234567890xyz.abcDEF1234567890xyzABC', 'SG.abcDEF1234567890xyz.abcDEF1234567890xyzABC'],
  ['telegram', '123456789:AAabcdefGHIJKLmnopQRSTuvwxYZ0123456', 'bot 123456789:AAabcdefGHIJKLmnopQRSTuvwxYZ0123456'],
  ['digitalocean', 'dop_v1_0123456789abcdef0123456789abcdef', 'dop_v1_0123456789abcdef0123456789abcdef'],
  ['doo', 'doo_v1_0123456789abcdef0123456789abcdef', 'doo_v1_0123456789abcdef0123456789abcdef'],
  ['linear', 'lin_api_abcDEF1234567890xyzAAbbcc', 'lin_api_abcDEF1234567890xyzAAbbcc'],
  ['notion', 'ntn_123456789012abcDEFghijklmnopqrstuvwx', 'ntn_123456789012abcDEFghijklmnopqrstuvwx'],
  [
    'notion old',
    'secret_abcDEF1234567890xyzAAbbccddeeffgghhiijjkkl',
    'secret_abcDEF1234567890xyzAAbbccddeeffgghhiijjkkl',
  ],
  [
    'airtable',
    'pat12345678901234.abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789',
    'pat12345678901234.abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789',
  ],
  ['shopify', 'shpat_0123456789abcdef0123456789abcdef', 'shpat_0123456789abcdef0123456789abcdef'],
  [
    'postman',
    'PMAK-0123456789abcdef01234567-0123456789abcdef0123456789abcdef01',
    'PMAK-0123456789abcdef01234567-0123456789abcdef0123456789abcdef01',
  ],
  ['databricks', 'dapi0123456789abcdef0123456789abcdef', 'dapi0123456789abcdef0123456789abcdef'],
  ['doppler', 'dp.pt.abcDEF1234567890xyzAAbbccddeeffgghhiijjkk', 'dp.pt.abcDEF1234567890xyzAAbbccddeeffgghhiijjkk'],
  ['vault', 'hvs.CAESIabcDEF1234567890xyzAAbbcc', 'hvs.CAESIabcDEF1234567890xyzAAbbcc'],
  [
    'tf cloud',
    'abcDEF12345678.atlasv1.abcDEF1234567890xyzAAbbccddeeffgghhiijjkkllmmnnooppqqrrss',
    'abcDEF12345678.atlasv1.abcDEF1234567890xyzAAbbccddeeffgghhiijjkkllmmnnooppqqrrss',
  ],
  ['planetscale', 'pscale_tkn_abcDEF1234567890xyzAAbbccddee', 'pscale_tkn_abcDEF1234567890xyzAAbbccddee'],
  ['supabase', 'sbp_0123456789abcdef0123456789abcdef01234567', 'sbp_0123456789abcdef0123456789abcdef01234567'],
  ['supabase sec', 'sb_secret_abcDEF1234567890xyzAAbb', 'sb_secret_abcDEF1234567890xyzAAbb'],
  ['vercel', 'vcp_abcDEF1234567890xyzAAbbccddeeff', 'vcp_abcDEF1234567890xyzAAbbccddeeff'],
  ['figma', 'figd_abcDEF1234567890xyzAAbbccddeeffgghhiijj', 'figd_abcDEF1234567890xyzAAbbccddeeffgghhiijj'],
  ['atlassian', 'ATATT3xFfGF0abcDEF1234567890xyzAAbbccddeeff', 'ATATT3xFfGF0abcDEF1234567890xyzAAbbccddeeff'],
  ['newrelic', 'NRAK-ABCDEF1234567890ABCDEF12345', 'NRAK-ABCDEF1234567890ABCDEF12345'],
  ['grafana', 'glc_eyJvIjoiMTIzNDU2Nzg5MCIsIm4iOiJhYmMifQ', 'glc_eyJvIjoiMTIzNDU2Nzg5MCIsIm4iOiJhYmMifQ'],
  ['sentry', 'sntrys_eyJpYXQiOjE2ODc_abcDEF1234567890', 'sntrys_eyJpYXQiOjE2ODc_abcDEF1234567890'],
  ['docker', 'dckr_pat_abcDEF1234567890xyzAAbb', 'dckr_pat_abcDEF1234567890xyzAAbb'],
  ['cargo', 'cioabcDEF1234567890xyzAAbbccddeeffg', 'cioabcDEF1234567890xyzAAbbccddeeffg'],
  [
    'rubygems',
    'rubygems_0123456789abcdef0123456789abcdef0123456789abcdef',
    'rubygems_0123456789abcdef0123456789abcdef0123456789abcdef',
  ],
  ['openrouter', 'sk-or-v1-0123456789abcdef0123456789abcdef', 'sk-or-v1-0123456789abcdef0123456789abcdef'],
  ['perplexity', 'pplx-abcDEF1234567890xyzAAbb', 'pplx-abcDEF1234567890xyzAAbb'],
  ['xai', 'xai-abcDEF1234567890xyzAAbb', 'xai-abcDEF1234567890xyzAAbb'],
  ['replicate', 'r8_abcDEF1234567890xyzAAbb', 'r8_abcDEF1234567890xyzAAbb'],
  ['fireworks', 'fw_abcDEF1234567890xyzAAbb', 'fw_abcDEF1234567890xyzAAbb'],
  ['cohere env', 'abcDEF1234567890xyzAAbbccddeeffgghhiijj', 'CO_API_KEY=abcDEF1234567890xyzAAbbccddeeffgghhiijj'],
  ['mistral export', 'abcDEF1234567890xyzAAbbccddee', 'export MISTRAL_API_KEY="abcDEF1234567890xyzAAbbccddee"'],
  [
    'langsmith',
    'lsv2_pt_0123456789abcdef0123456789abcdef_0123456789',
    'lsv2_pt_0123456789abcdef0123456789abcdef_0123456789',
  ],
  ['pinecone', 'pcsk_abcDE_1234567890xyzAAbbccddeeff', 'pcsk_abcDE_1234567890xyzAAbbccddeeff'],
  ['tavily', 'tvly-dev-abcDEF1234567890xyzAAbb', 'tvly-dev-abcDEF1234567890xyzAAbb'],
  ['firecrawl', 'fc-0123456789abcdef0123456789abcdef', 'fc-0123456789abcdef0123456789abcdef'],
  ['e2b', 'e2b_0123456789abcdef0123456789abcdef01234567', 'e2b_0123456789abcdef0123456789abcdef01234567'],
  [
    'jwt',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlMTIz',
    'x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlMTIz',
  ],
  ['basic url', 's3cretP4ss', 'https://jane:s3cretP4ss@host.example.com/x'],
  ['basic url user-only', 'ghx0123456789abcdef', 'https://ghx0123456789abcdef@github.com/o/r'],
  ['url pass special', 'p%40ss%3Aw0rd', 'postgresql://app:p%40ss%3Aw0rd@db:5432/x'],
  ['mongodb', 'Xy9zQ2wE', 'mongodb+srv://admin:Xy9zQ2wE@c0.abc.mongodb.net/db'],
  ['basic header', base64('jane:s3cretP4ss'), 'Authorization: Basic ' + base64('jane:s3cretP4ss')],
  ['proxy auth', base64('jane:proxy'), 'Proxy-Authorization: Basic ' + base64('jane:proxy')],
  ['proxy auth json', base64('jane:proxy'), '{"Proxy-Authorization":"Basic ' + base64('jane:proxy') + '"}'],
  ['X-API-KEY odd', 'Qw3rty98', '{"X-aPi-KeY":"Qw3rty98uiop"}'],
  ['header curl', 'Qw3rty98uiop', "curl -H 'X-Api-Key: Qw3rty98uiop' https://x"],
  ['header curl esc', 'Qw3rty98uiop', '{"command":"curl -H \\"x-API-key: Qw3rty98uiop\\" https://x"}'],
  ['curl -u', 's3cretP4ss', 'curl -u jane:s3cretP4ss https://x'],
  [
    'esc json in json',
    'Qw3rty98uiop',
    JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ api_key: 'Qw3rty98uiop' }) }) }),
  ],
  ['unicode escape key', 'Qw3rty98uiop', '{"api_key":"\\u0051w3rty98uiop"}'],
  [
    'unicode escape token',
    'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    '{"x":"\\u0067hp_16C7e42F292c6912E7710c838347Ae178B4a"}',
  ],
  [
    'base64 of key',
    base64('sk-ant-api03-abcDEF_1234567890-xyzAA'),
    'data ' + base64('sk-ant-api03-abcDEF_1234567890-xyzAA'),
  ],
  [
    'base64 of json key',
    base64('{"api_key":"sk-ant-api03-abcDEF_1234567890"}'),
    '{"content":"' + base64('{"api_key":"sk-ant-api03-abcDEF_1234567890"}') + '"}',
  ],
  [
    'base64 of email+home',
    base64('jane.doe@example.org in /home/janedoe/x and more'),
    'x ' + base64('jane.doe@example.org in /home/janedoe/x and more'),
  ],
  [
    'base64 docker auth',
    base64('janedoe:hunter2pass9'),
    '{"auths":{"https://index.docker.io/v1/":{"auth":"' + base64('janedoe:hunter2pass9') + '"}}}',
  ],
  [
    'ssh private',
    'b3BlbnNzaC1rZXktdjEAAAAA',
    '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----',
  ],
  [
    'pgp private',
    'lQOYBGPabcdEFGH1234',
    '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBGPabcdEFGH1234\n-----END PGP PRIVATE KEY BLOCK-----',
  ],
  [
    'age key',
    'AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ9',
    'AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ9',
  ],
  [
    'putty',
    'AAAAB3NzaC1yc2EAAAADAQABAAAB',
    'PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 1\nAAAAB3NzaC1yc2EAAAADAQABAAAB\n',
  ],
  ['win home', 'Jane.Doe', 'C:\\\\Users\\\\Jane.Doe\\\\AppData'],
  ['win home json', 'JaneD', '{"p":"C:\\\\Users\\\\JaneD\\\\x"}'],
  ['wsl home', 'janed', '/mnt/c/Users/janed/x'],
  ['unc', 'janed', '\\\\\\\\server\\\\Users\\\\janed\\\\x'],
  ['git bash home', 'janed', '/c/Users/janed/x'],
  ['root var home', 'janed', '/var/home/janed/x'],
  ['export home', 'janed', '/export/home/janed/x'],
  ['HOME env', 'janedoe1', 'HOME=/home/janedoe1'],
  ['email unicode', '用户@例子.公司', 'mail 用户@例子.公司 now'],
  ['email unicode2', 'pelé@exämple.com', 'mail pelé@exämple.com'],
  ['email json esc', 'jane@exämple.de', '{"m":"jane@ex\\u00e4mple.de"}'],
  ['email mailto', 'jane.roe@x-y.co.uk', 'mailto:jane.roe@x-y.co.uk?subject=1'],
  ['git author', 'jane@laptop.local', 'Author: Jane Doe <jane@laptop.local>'],
  [
    'cc user_id',
    'c0ffee00-1234-4abc-8def-000000000001',
    '{"metadata":{"user_id":"user_' +
      'ab12'.repeat(16) +
      '_account_c0ffee00-1234-4abc-8def-000000000001_session_11111111-2222-4333-8444-555555555555"}}',
  ],
  [
    'cc user_id dev',
    'ab12'.repeat(16),
    '{"metadata":{"user_id":"user_' + 'ab12'.repeat(16) + '_account__session_11111111-2222-4333-8444-555555555555"}}',
  ],
  [
    'cc user_id json',
    'd00df00d'.repeat(8),
    '{"metadata":{"user_id":"{\\"device_id\\":\\"' +
      'd00df00d'.repeat(8) +
      '\\",\\"account_uuid\\":\\"c0ffee00-1234-4abc-8def-000000000001\\",\\"session_id\\":\\"x\\"}"}}',
  ],
  [
    'cc oauthAccount',
    'c0ffee00-1234-4abc-8def-000000000002',
    '{"oauthAccount":{"accountUuid":"c0ffee00-1234-4abc-8def-000000000002","emailAddress":"j@x.org","organizationUuid":"c0ffee00-1234-4abc-8def-000000000003","organizationName":"Jane Org"}}',
  ],
  [
    'cc org',
    'c0ffee00-1234-4abc-8def-000000000003',
    '{"oauthAccount":{"organizationUuid":"c0ffee00-1234-4abc-8def-000000000003"}}',
  ],
  [
    'codex acct hdr',
    'c0ffee00-1234-4abc-8def-000000000004',
    '{"name":"ChatGPT-Account-Id","value":"c0ffee00-1234-4abc-8def-000000000004"}',
  ],
  [
    'codex inst',
    'c0ffee00-1234-4abc-8def-000000000005',
    '{"client_metadata":{"x-codex-installation-id":"c0ffee00-1234-4abc-8def-000000000005"}}',
  ],
  [
    'codex auth.json',
    'rt_abcDEF1234567890',
    '{"tokens":{"id_token":"a.b.c","access_token":"x","refresh_token":"rt_abcDEF1234567890","account_id":"c0ffee00-1234-4abc-8def-000000000004"}}',
  ],
  ['codex jwt acct', 'user-AbCdEf1234567890', '{"chatgpt_user_id":"user-AbCdEf1234567890"}'],
  ['openai org hdr', 'org-AbCdEf1234567890', '{"name":"openai-organization","value":"org-AbCdEf1234567890"}'],
  ['openai project hdr', 'proj_AbCdEf1234567890', '{"name":"openai-project","value":"proj_AbCdEf1234567890"}'],
  [
    'anth org resp hdr',
    'c0ffee00-1234-4abc-8def-000000000006',
    '{"name":"anthropic-organization-id","value":"c0ffee00-1234-4abc-8def-000000000006"}',
  ],
  ['statsig stable', 'c0ffee00-1234-4abc-8def-000000000007', '{"stableID":"c0ffee00-1234-4abc-8def-000000000007"}'],
  ['machine-id', '0123456789abcdef0123456789abcdef', 'machineId: 0123456789abcdef0123456789abcdef'],
  ['prompt_cache user', 'janedoe@corp', '{"user":"janedoe77corp"}'],
  [
    'kube token',
    'eyJhbGciOiJSUzI1NiIsImtpZCI6Ing',
    '    token: eyJhbGciOiJSUzI1NiIsImtpZCI6Ing.eyJpc3MiOiJrdWJlIn0.c2ln',
  ],
  [
    'kube client-key',
    'LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ',
    '    client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ==',
  ],
  ['npmrc', 'abcDEF123456', '//packages.example/:_authToken=abcDEF123456'],
  ['npmrc _auth', base64('jane:s3cretP4ss'), '_auth=' + base64('jane:s3cretP4ss')],
  ['git cred helper', 's3cretP4ss1', 'protocol=https\nhost=github.com\nusername=jane\npassword=s3cretP4ss1'],
  ['pgpass', 's3cretP4ss1', 'localhost:5432:mydb:jane:s3cretP4ss1'],
  ['password with symbols', 'p@$$w0rd!', 'password: "p@$$w0rd!"'],
  ['password json letters', 'correcthorsebattery', '{"password":"correcthorsebattery"}'],
  ['password yaml letters', 'correct-horse-battery', 'db_password: correct-horse-battery'],
  ['cookie in curl -b', 'sid=8f3kd92kfjs01x', "curl -b 'sid=8f3kd92kfjs01x' https://x"],
  ['cookie curl H', '8f3kd92kfjs01x', "curl -H 'Cookie: sid=8f3kd92kfjs01x; t=1' https://x"],
  ['cookie curl H json', '8f3kd92kfjs01x', '{"command":"curl -H \\"Cookie: sid=8f3kd92kfjs01x; t=1\\" https://x"}'],
  ['postData params', 'hunter2pass9', '{"postData":{"params":[{"name":"password","value":"hunter2pass9"}]}}'],
  ['queryString', 'hunter2pass9', '{"queryString":[{"name":"access_token","value":"hunter2pass9"}]}'],
  ['query key', 'AbCdEf1234567890', 'https://generativelanguage.googleapis.com/v1/models?key=AbCdEf1234567890'],
  ['url code', 'AbCdEf1234567890', 'http://localhost:1455/auth/callback?code=AbCdEf1234567890&state=xyz'],
  ['hostname user', 'janedoe', '{"cwd":"/Users/janedoe/x","p":"janedoe@Janes-MacBook-Pro x %"}'],
  ['mac host', 'Janes-MacBook-Pro.local', 'ssh janes@Janes-MacBook-Pro.local'],
  ['USER env', 'janedoe77', 'USER=janedoe77'],
  ['LOGNAME env', 'janedoe77', 'LOGNAME=janedoe77'],
  ['credential field', 'AbCdEf1234567890', '{"credential":"AbCdEf1234567890"}'],
  ['apikey query', 'AbCdEf1234567890', '?apikey=AbCdEf1234567890'],
  ['x-auth-token', 'AbCdEf1234567890', 'X-Auth-Token: AbCdEf1234567890'],
  ['x-goog', 'AbCdEf1234567890', 'X-Goog-Api-Key: AbCdEf1234567890'],
  ['ocp', 'AbCdEf1234567890', 'Ocp-Apim-Subscription-Key: AbCdEf1234567890'],
  ['CF-Access', 'AbCdEf1234567890', 'CF-Access-Client-Secret: AbCdEf1234567890'],
  ['x-csrf', 'AbCdEf1234567890', 'X-CSRF-Token: AbCdEf1234567890'],
  ['connect.sid', 's%3AabcDEF1234567890.xyz', 'connect.sid=s%3AabcDEF1234567890.xyz'],
  ['auth digest', 'AbCdEf1234567890', 'Authorization: Digest username="jane", response="AbCdEf1234567890"'],
  ['auth token scheme', 'AbCdEf1234567890', 'Authorization: token AbCdEf1234567890'],
  [
    'auth sigv4',
    '3f2b0d9c8a7e6f5d4c3b2a1908f7e6d5c4b3a2918f7e6d5c4b3a29180f1e2d3c',
    'Authorization: AWS4-HMAC-SHA256 Credential=AKIAABCDEFGHIJKLMNOP/20261101/us-east-1/bedrock/aws4_request, SignedHeaders=host, Signature=3f2b0d9c8a7e6f5d4c3b2a1908f7e6d5c4b3a2918f7e6d5c4b3a29180f1e2d3c',
  ],
  [
    'auth json sigv4',
    '3f2b0d9c8a7e6f5d4c3b2a1908f7e6d5',
    '{"Authorization":"AWS4-HMAC-SHA256 Credential=AKIAABCDEFGHIJKLMNOP/2026, Signature=3f2b0d9c8a7e6f5d4c3b2a1908f7e6d5"}',
  ],
];
/** Where such a line appears: alone, as a string, in a sentence, in JSON inside JSON, and in a stream. */
const WAYS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  string: (text) => JSON.stringify({ content: text }),
  inline: (text) => JSON.stringify({ content: `Line one. ${text}\nLine two.` }),
  nested: (text) => JSON.stringify({ a: JSON.stringify({ content: `$ run\n${text}\n` }) }),
  stream: (text) => `event: x\ndata: ${JSON.stringify({ delta: { text } })}\n\n`,
};
const readable = (text: string): string =>
  text.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

describe('forms of secrets and names', () => {
  it.each(Object.entries(WAYS))('MK1, MK4, MK12: none of them is left, %s', (_, write) => {
    const left = FORMS.filter(([, secret, text]) => readable(createMasker().mask(write(text))).includes(secret));
    expect(left.map(([name]) => name)).toEqual([]);
  });

  it('MK7: a user is masked wherever the name stands, once a home path tells it', () => {
    const masker = createMasker();
    const [path, listing, word] = masker.mask(['/home/janedoe/x', 'drwx 2 janedoe staff', 'janedoexyz, user, root']);
    const standIn = /^\/home\/(\w+)\/x$/.exec(path ?? '')?.[1];
    expect(listing).toBe(`drwx 2 ${standIn} staff`);
    expect(word).toBe('janedoexyz, user, root');
    expect(createMasker().mask('/home/user/x by user; /Users/Shared/y, Shared')).toMatch(/by user; .*, Shared$/);
  });

  it('MK12: base64 that holds nothing private stays, also a picture', () => {
    for (const plain of ['Just a sentence about 12 things and no secret.', String.fromCharCode(...Array(90).keys())])
      expect(createMasker().mask(`data ${base64(plain)}`)).toBe(`data ${base64(plain)}`);
  });
});
